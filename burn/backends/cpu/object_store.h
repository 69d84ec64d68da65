#pragma once

#include <burn/compiler/disk_cache.h>
#include <burn/kernel/kernel.h>

#include <string_view>

namespace burn::cpu {

/// Where programs keep compiled kernels: see compiler::cache_folder.
std::string default_kernel_folder();

/// Objects on disk, one file for each pair of kernel and target; believed, bounded and shared as compiler::DiskCache says.
class ObjectStore {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{256} << 20;

    /// The files in `folder` take `limit` bytes at most, or a little more; those not used for longest go.
    explicit ObjectStore(std::string folder, std::uint64_t limit = kDefaultLimit)
        : cache_(std::move(folder), "kernel", limit) {}

    /// Reads the object of a kernel; false where there is none to be believed.
    bool find(std::string_view target, const kernel::Kernel& kernel, std::vector<std::byte>& object) const;
    void keep(std::string_view target, const kernel::Kernel& kernel, std::span<const std::byte> object);

    /// The file that is about this pair.
    std::string path_of(std::string_view target, const kernel::Kernel& kernel) const;

private:
    compiler::DiskCache cache_;
};

}  // namespace burn::cpu
