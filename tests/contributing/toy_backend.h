#pragma once

#include <burn/ops/engine.h>

/// The tag that users write: `Autodiff<toy::Toy>`.
namespace toy {

struct Toy {
    static std::size_t device_count() { return 1; }
    static burn::ops::Engine& engine(std::size_t device);
};

}  // namespace toy
