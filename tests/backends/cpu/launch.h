// Compiling and running kernels in tests.
#pragma once

#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/base/cpu_features.h>
#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace burn::cpu {

/// One launch of a kernel that is compiled for the active instruction set, nothing kept on disk.
///
/// Buffers and scalars are given in the order of the kernel's parameters of that kind.
class Launch {
public:
    explicit Launch(const kernel::Kernel& kernel) {
        CodeGenerator* generator = code_generator();
        if (generator == nullptr) {
            raise(ErrorKind::Unsupported, Message() << why_no_code_generator().c_str());
        }
        static KernelCache& cache = *new KernelCache("");  // NOLINT: kernels may run until the program ends
        executable_ = cache.executable(*generator, kernel);
    }

    template <class T>
    Launch& buffer(std::vector<T>& elements) {
        buffers_.push_back(reinterpret_cast<std::byte*>(elements.data()));
        return *this;
    }
    template <class T>
    Launch& buffer(T* elements) {
        buffers_.push_back(reinterpret_cast<std::byte*>(elements));
        return *this;
    }
    template <class Number>
    Launch& scalar(DType dtype, Number number) {
        scalars_.push_back(kernel::element_bits(dtype, number));
        return *this;
    }

    Launch& scalars(const std::vector<std::uint64_t>& bits) {
        scalars_.insert(scalars_.end(), bits.begin(), bits.end());
        return *this;
    }

    void run(std::int64_t begin, std::int64_t end) const {
        const LaunchArguments arguments{buffers_.data(), scalars_.data()};
        executable_->function(&arguments, begin, end);
    }

private:
    std::shared_ptr<const CpuExecutable> executable_;
    std::vector<std::byte*> buffers_;
    std::vector<std::uint64_t> scalars_;
};

/// The instruction sets that this processor has.
inline std::vector<Isa> supported_isas() {
    std::vector<Isa> all;
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (isa_supported(isa)) all.push_back(isa);
    }
    return all;
}

/// Runs `body` under every instruction set.
template <class Body>
void on_every_isa(Body&& body) {
    const Isa before = active_isa();
    for (const Isa isa : supported_isas()) {
        SCOPED_TRACE(isa_name(isa));
        set_active_isa(isa);
        body();
    }
    set_active_isa(before);
}

}  // namespace burn::cpu
