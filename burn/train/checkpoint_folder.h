#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace burn::training {

/// A folder of checkpoints, one folder "epoch-N" each, which appear whole or not at all.
///
/// What is written goes to "epoch-N.partial" and gets its name when all of it is on the disk. An older checkpoint of the epoch
/// waits as "epoch-N.replaced" until then. A program that is killed in the middle leaves such folders behind: opening the
/// folder gives a checkpoint that waits its name back when the new one did not come, and `remove_partial` removes the rest. So
/// whoever opens the folder finds, at any moment, the old checkpoint or the new one, whole.
///
/// Errors    IoError naming the path
/// Thread    one object, one thread; one program at a time
class CheckpointFolder {
public:
    /// Makes the folder, and those above it, when it is not there; finishes or undoes replacements that were cut short.
    explicit CheckpointFolder(std::string path);
    /// One that was moved from would stand for the root of the file system.
    CheckpointFolder(const CheckpointFolder&) = delete;
    CheckpointFolder& operator=(const CheckpointFolder&) = delete;

    const std::string& path() const { return path_; }
    /// The epochs that have a checkpoint, ascending.
    std::vector<std::size_t> epochs() const;
    bool contains(std::size_t epoch) const;
    /// Where the files of a checkpoint are.
    std::string path_of(std::size_t epoch) const;

    void remove(std::size_t epoch) const;
    /// Removes all but the `count` latest ones.
    void keep_last(std::size_t count) const;
    /// Removes what programs that were killed left behind.
    void remove_partial() const;

    /// A checkpoint that is being written; dropped unless committed.
    class Writer {
    public:
        Writer(const CheckpointFolder& folder, std::size_t epoch);
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;
        ~Writer();

        /// The folder to put files into.
        const std::string& path() const { return partial_; }
        /// Replaces an older checkpoint of the epoch, which is back when this fails. It is safe against a power cut when this
        /// returns.
        void commit();

    private:
        const CheckpointFolder& folder_;
        std::size_t epoch_;
        std::string partial_;
        bool committed_ = false;
    };

private:
    std::string path_;
};

}  // namespace burn::training
