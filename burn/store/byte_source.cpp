#include <burn/base/held.h>
#include <burn/store/byte_source.h>
#include <burn/store/quote.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace burn::store {

namespace {

[[noreturn]] void refuse(const std::string& path, const char* reason) {
    raise(ErrorKind::Io, Message() << "cannot read " << quote_path(path).c_str() << ": " << reason);
}

/// One call of pread takes at most this much everywhere.
constexpr std::size_t kLargestRead = std::size_t{1} << 30;

}  // namespace

struct ByteSource::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (descriptor >= 0) ::close(descriptor);
    }

    std::string name;
    std::uint64_t size = 0;
    int descriptor = -1;                // a file, or
    std::vector<std::byte> owned;       // memory of ours, or
    const std::byte* memory = nullptr;  // memory of somebody (or `owned`)
};

ByteSource ByteSource::open(const std::string& path) {
    auto state = std::make_shared<State>();
    state->name = path;
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    state->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (state->descriptor < 0) refuse(path, std::strerror(errno));
    struct stat facts = {};
    if (::fstat(state->descriptor, &facts) != 0) refuse(path, std::strerror(errno));
    if (S_ISDIR(facts.st_mode)) refuse(path, "it is a folder; expected a file");
    if (!S_ISREG(facts.st_mode)) refuse(path, "it is not a regular file");
    state->size = static_cast<std::uint64_t>(facts.st_size);
    return ByteSource(std::move(state));
}

ByteSource ByteSource::borrow(std::span<const std::byte> bytes, std::string name) {
    auto state = std::make_shared<State>();
    state->name = std::move(name);
    state->size = bytes.size();
    state->memory = bytes.data();
    return ByteSource(std::move(state));
}

ByteSource ByteSource::own(std::vector<std::byte> bytes, std::string name) {
    auto state = std::make_shared<State>();
    state->name = std::move(name);
    state->owned = std::move(bytes);
    state->size = state->owned.size();
    state->memory = state->owned.data();
    return ByteSource(std::move(state));
}

const std::string& ByteSource::name() const { return held(state_, "ByteSource").name; }

std::uint64_t ByteSource::size() const { return held(state_, "ByteSource").size; }

void ByteSource::read(std::uint64_t offset, std::span<std::byte> out) const {
    const State& state = held(state_, "ByteSource");
    require_internal(offset <= state.size && out.size() <= state.size - offset, "a read beyond the end of a source");
    if (out.empty()) return;
    if (state.descriptor < 0) {
        std::memcpy(out.data(), state.memory + offset, out.size());
        return;
    }
    while (!out.empty()) {
        const ssize_t got =
            ::pread(state.descriptor, out.data(), std::min(out.size(), kLargestRead), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(state.name, std::strerror(errno));
        if (got == 0) refuse(state.name, "it became shorter while it was read");
        offset += static_cast<std::uint64_t>(got);
        out = out.subspan(static_cast<std::size_t>(got));
    }
}

}  // namespace burn::store
