#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace burn::store {

/// Bytes at rest, read piece by piece: a regular file, or memory.
///
/// A file is read through its descriptor and never mapped: when somebody cuts it short meanwhile, the next read is an
/// IoError and not a signal. A file that is replaced (as `AtomicFile` does) is read to its end in its old state.
///
/// Memory    copies share one descriptor or one buffer
/// Thread    one source may be read by several threads at a time
class ByteSource {
public:
    /// Errors    IoError when the file does not exist, may not be read, or is no regular file
    static ByteSource open(const std::string& path);
    /// Bytes that the caller keeps alive and unchanged; `name` is what errors call them.
    static ByteSource borrow(std::span<const std::byte> bytes, std::string name = "<memory>");
    static ByteSource own(std::vector<std::byte> bytes, std::string name = "<memory>");

    /// The path, or the name given.
    const std::string& name() const;
    std::uint64_t size() const;

    /// Fills `out` with the bytes from `offset` on.
    ///
    /// Errors    IoError when the file system fails or the bytes are no longer there;
    ///           InternalError when asked for bytes beyond `size()`
    void read(std::uint64_t offset, std::span<std::byte> out) const;

private:
    struct State;
    explicit ByteSource(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    std::shared_ptr<const State> state_;
};

}  // namespace burn::store
