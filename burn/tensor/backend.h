#pragma once

#include <burn/ops/engine.h>

#include <concepts>
#include <cstddef>

namespace burn {

template <class B>
struct Autodiff;

/// Something that tensors can live on: a tag type with a way to reach the engine of each of its devices.
template <class B>
concept Backend = requires(std::size_t device) {
    { B::engine(device) } -> std::same_as<ops::Engine&>;
    { B::device_count() } -> std::convertible_to<std::size_t>;
};

namespace detail {
template <class B>
constexpr bool is_autodiff = false;
template <class B>
constexpr bool is_autodiff<Autodiff<B>> = true;
}  // namespace detail

/// A backend whose tensors can have gradients. Only on such a one do `backward`, `require_grad` and `grad` exist.
template <class B>
concept AutodiffBackend = Backend<B> && detail::is_autodiff<B>;

namespace detail {
/// Which of a backend's devices an engine is.
template <Backend B>
std::size_t device_index(const ops::Engine& engine) {
    std::size_t index = 0;
    while (index < B::device_count() && &B::engine(index) != &engine) ++index;
    require_internal(index < B::device_count(), "Device: the engine is none of the backend's devices");
    return index;
}
}  // namespace detail

/// One device of a backend, by its index.
template <Backend B>
class Device {
public:
    /// The backend's first device.
    Device() = default;
    /// Errors    DeviceError when the backend has fewer devices
    explicit Device(std::size_t index) : index_(index) {
        if (index >= B::device_count()) {
            raise(ErrorKind::Device,
                  Message() << "Device: index " << index << ", but there are " << B::device_count() << " devices");
        }
    }

    std::size_t index() const { return index_; }
    ops::Engine& engine() const { return B::engine(index_); }
    const char* name() const { return engine().name(); }

    /// Starts the device's random stream anew. The same seed gives the same numbers on every backend.
    void seed(std::uint64_t seed) const { engine().set_random_state({seed, 0}); }
    ops::RandomState random_state() const { return engine().random_state(); }
    void set_random_state(ops::RandomState state) const { engine().set_random_state(state); }

    /// Waits until everything asked for is done.
    ///
    /// Errors    the first error of what was pending, unless a read has raised it; with several threads see book/fusion.md
    void sync() const { engine().sync(); }
    MemoryReport memory() const { return engine().memory(); }

    bool operator==(const Device&) const = default;

private:
    std::size_t index_ = 0;
};

}  // namespace burn
