#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace burn::data {

/// A file, or bytes in memory, read once from start to end; decompressed on the way when the content is gzip, whatever
/// the name says.
///
/// Several members one after the other are one text (RFC 1952, 2.2). Lengths and checksums are verified: bytes of a
/// damaged file are returned up to the damage, then comes the error.
///
/// Memory    a buffer of 64 KiB and the window of 32 KiB
/// Errors    IoError; ParseError naming the file when it is cut off, damaged, or followed by other bytes
/// Thread    one object, one thread
class GzipReader {
public:
    static GzipReader open(const std::string& path);
    /// Bytes that the caller keeps alive; `name` is what errors call them.
    static GzipReader from_memory(std::span<const std::byte> bytes, std::string name = "<memory>");
    GzipReader(GzipReader&&) noexcept;
    GzipReader& operator=(GzipReader&&) noexcept;
    ~GzipReader();

    const std::string& name() const;
    bool is_compressed() const;
    /// The most bytes that can still come: the rest of the file, times what deflate can reach at best.
    std::uint64_t most_left() const;

    /// Fills `out`, or less of it where the content ends. Returns how many bytes it wrote.
    std::size_t read(std::span<std::byte> out);
    /// All that is left.
    ///
    /// Errors    ParseError when that is more than `limit` bytes
    std::vector<std::byte> read_all(std::uint64_t limit);

private:
    struct State;
    explicit GzipReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace burn::data
