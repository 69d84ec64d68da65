#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace burn::store {

/// A file that appears under its name whole, or not at all.
///
/// What is written goes to a nameless file in the same folder; `commit` brings it to the disk and then puts it in the
/// place of the old one in a single step. Until then the old file stays as it was, and whatever ends the program (an
/// error, a signal, a full disk) leaves nothing behind. On file systems without nameless files, a temporary one beside
/// it (".name.….tmp") is used, which only a kill signal or a power cut leaves behind.
///
/// A symbolic link is followed; permissions of an old file are kept.
///
/// Errors    IoError naming path and reason
/// Thread    one object, one thread; of several writers to one path the last to commit wins, whole
/// Example   AtomicFile file("model.bpk"); file.write(bytes); file.commit();
class AtomicFile {
public:
    /// Errors    IoError when the folder does not exist or may not be written, or when `path` is no regular file
    explicit AtomicFile(const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    /// Without a `commit` before it, drops what was written.
    ~AtomicFile();

    void write(std::span<const std::byte> bytes);
    /// The number of bytes written so far.
    std::uint64_t size() const { return size_; }
    /// Ends the writing. The file is safe against a power cut when this returns.
    void commit();

private:
    [[noreturn]] void refuse(const char* reason) const;
    void open_beside();
    void give_name();
    void sync_folder() const;

    std::string path_;       // as given, for messages
    std::string target_;     // links followed
    std::string temporary_;  // empty while the file has no name
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

/// Writes a whole file atomically.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void write_file(const std::string& path, std::string_view text);

}  // namespace burn::store
