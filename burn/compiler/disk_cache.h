#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace burn::compiler {

/// Where programs keep what is dear to make again: the folder `name` in the one that the environment variable BURN_CACHE_DIR
/// names, else in $XDG_CACHE_HOME/burn, else in ~/.cache/burn. Empty, which is nowhere, when BURN_CACHE_DIR is "off" or
/// nothing is known; "on" names none.
std::string cache_folder(const char* name);

/// Bytes on disk under keys that are bytes too, one file for each key.
///
/// A file is believed only if it is whole, this user's and about this very key; anything else is as if it were not there. Several
/// threads and processes may use one folder: files are written under another name and renamed. Nothing here is ever an error, for
/// a cache that fails is only slow.
class DiskCache {
public:
    /// Files are called HASH.SUFFIX. Those in `folder` take `limit` bytes at most, or a little more; those not used for
    /// longest go. An empty folder keeps nothing.
    DiskCache(std::string folder, const char* suffix, std::uint64_t limit)
        : folder_(std::move(folder)), suffix_(std::string(".") + suffix), limit_(limit) {}

    /// Reads what was kept under a key; false where there is nothing to be believed.
    bool find(std::span<const std::byte> key, std::vector<std::byte>& value) const;
    /// Keeps a value that is not empty.
    void keep(std::span<const std::byte> key, std::span<const std::byte> value);

    /// The file that is about this key.
    std::string path_of(std::span<const std::byte> key) const;

private:
    void drop_oldest();

    std::string folder_;
    std::string suffix_;
    std::uint64_t limit_;
    std::mutex mutex_;
    bool looked_ = false;
    std::uint64_t written_ = 0;  ///< bytes since the folder's size was looked at
};

}  // namespace burn::compiler
