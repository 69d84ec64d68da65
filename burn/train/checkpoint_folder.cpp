#include <burn/base/error.h>
#include <burn/store/quote.h>
#include <burn/train/checkpoint_folder.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace burn::training {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "epoch-";
constexpr std::string_view kPartial = ".partial";
constexpr std::string_view kRemoved = ".removed";
constexpr std::string_view kReplaced = ".replaced";

[[noreturn]] void refuse(const char* what, const std::string& path, const std::string& reason) {
    raise(ErrorKind::Io, Message() << what << ' ' << store::quote_path(path).c_str() << ": " << reason.c_str());
}

void remove_tree(const std::string& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) refuse("cannot remove", path, error.message());
}

/// Brings the names in a folder to the disk.
void sync_folder(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // may be written but not read: nothing to be done
    const bool failed = ::fsync(descriptor) != 0 && errno != EINVAL;
    const int reason = errno;
    ::close(descriptor);
    if (failed) refuse("cannot write", path, std::strerror(reason));
}

std::optional<std::size_t> epoch_of(std::string_view name) {
    if (!name.starts_with(kPrefix)) return std::nullopt;
    name.remove_prefix(kPrefix.size());
    std::size_t epoch = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), epoch);
    if (error != std::errc() || end != name.data() + name.size() || name.empty()) return std::nullopt;
    return epoch;
}

/// The epoch of a folder "epoch-N<suffix>".
std::optional<std::size_t> epoch_of(std::string_view name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return std::nullopt;
    return epoch_of(name.substr(0, name.size() - suffix.size()));
}

std::vector<std::string> names_in(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        names.push_back(entry->path().filename().string());
    }
    if (error) refuse("cannot read the folder", path, error.message());
    return names;
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path) : path_(std::move(path)) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) refuse("cannot make the folder", path_, error.message());
    for (const std::string& name : names_in(path_)) {
        const auto epoch = epoch_of(name, kReplaced);
        if (!epoch || contains(*epoch)) continue;
        fs::rename(path_ + "/" + name, path_of(*epoch), error);
        if (error) refuse("cannot restore", path_of(*epoch), error.message());
    }
}

std::vector<std::size_t> CheckpointFolder::epochs() const {
    std::vector<std::size_t> epochs;
    for (const std::string& name : names_in(path_)) {
        if (const auto epoch = epoch_of(name)) epochs.push_back(*epoch);
    }
    std::ranges::sort(epochs);
    return epochs;
}

bool CheckpointFolder::contains(std::size_t epoch) const {
    std::error_code error;
    return fs::is_directory(path_of(epoch), error);
}

std::string CheckpointFolder::path_of(std::size_t epoch) const {
    return path_ + "/" + std::string(kPrefix) + std::to_string(epoch);
}

void CheckpointFolder::remove(std::size_t epoch) const {
    // Under its own name it would be half a checkpoint for a moment.
    const std::string removed = path_of(epoch) + std::string(kRemoved);
    remove_tree(removed);
    std::error_code error;
    fs::rename(path_of(epoch), removed, error);
    if (error) refuse("cannot remove", path_of(epoch), error.message());
    remove_tree(removed);
}

void CheckpointFolder::keep_last(std::size_t count) const {
    const std::vector<std::size_t> all = epochs();
    for (std::size_t i = 0; i + count < all.size(); ++i) remove(all[i]);
}

void CheckpointFolder::remove_partial() const {
    for (const std::string& name : names_in(path_)) {
        for (const std::string_view suffix : {kPartial, kRemoved, kReplaced}) {
            if (epoch_of(name, suffix)) remove_tree(path_ + "/" + name);
        }
    }
}

CheckpointFolder::Writer::Writer(const CheckpointFolder& folder, std::size_t epoch)
    : folder_(folder), epoch_(epoch), partial_(folder.path_of(epoch) + std::string(kPartial)) {
    remove_tree(partial_);
    std::error_code error;
    fs::create_directory(partial_, error);
    if (error) refuse("cannot make the folder", partial_, error.message());
}

CheckpointFolder::Writer::~Writer() {
    std::error_code ignored;
    if (!committed_) fs::remove_all(partial_, ignored);
}

void CheckpointFolder::Writer::commit() {
    sync_folder(partial_);
    const std::string path = folder_.path_of(epoch_);
    const std::string replaced = path + std::string(kReplaced);
    const bool replaces = folder_.contains(epoch_);
    std::error_code error;
    // A folder cannot be renamed over another one: the old one steps aside, and goes when the new one is safe.
    if (replaces) {
        remove_tree(replaced);
        fs::rename(path, replaced, error);
        if (error) refuse("cannot replace", path, error.message());
    }
    fs::rename(partial_, path, error);
    if (error) {
        std::error_code ignored;
        if (replaces) fs::rename(replaced, path, ignored);
        refuse("cannot write", path, error.message());
    }
    committed_ = true;
    sync_folder(folder_.path());
    if (replaces) remove_tree(replaced);
}

}  // namespace burn::training
