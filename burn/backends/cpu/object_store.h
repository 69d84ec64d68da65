#pragma once

#include <burn/kernel/kernel.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace burn::cpu {

/// Where programs keep compiled kernels: `kernels` in the folder that the environment variable BURN_CACHE_DIR names, else in
/// $XDG_CACHE_HOME/burn, else in ~/.cache/burn. Empty, which is nowhere, when BURN_CACHE_DIR is "off" or nothing is known.
std::string default_kernel_folder();

/// Objects on disk, one file for each pair of kernel and target.
///
/// A file is believed only if it is whole and about this very kernel and target; anything else is as if it were not there.
/// Several threads and processes may use one folder: files are written under another name and renamed. Nothing here is ever
/// an error, for a cache that fails is only slow.
class ObjectStore {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{256} << 20;

    /// The files in `folder` take `limit` bytes at most, or a little more; those not used for longest go.
    explicit ObjectStore(std::string folder, std::uint64_t limit = kDefaultLimit)
        : folder_(std::move(folder)), limit_(limit) {}

    /// Reads the object of a kernel; false where there is none to be believed.
    bool find(std::string_view target, const kernel::Kernel& kernel, std::vector<std::byte>& object) const;
    void keep(std::string_view target, const kernel::Kernel& kernel, std::span<const std::byte> object);

    /// The file that is about this pair.
    std::string path_of(std::string_view target, const kernel::Kernel& kernel) const;

private:
    void drop_oldest();

    std::string folder_;
    std::uint64_t limit_;
    std::mutex mutex_;
    bool looked_ = false;
    std::uint64_t written_ = 0;  ///< bytes since the folder's size was looked at
};

}  // namespace burn::cpu
