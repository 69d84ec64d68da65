#include <burn/base/held.h>
#include <burn/data/gzip.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace burn::data {

namespace {

constexpr std::size_t kBuffer = 64 << 10;
/// A byte of deflate stands for at most 1032 bytes (258 in two bits); headers and checksums only lower that.
constexpr std::uint64_t kBestRatio = 1032;

[[noreturn]] void refuse(ErrorKind kind, const std::string& name, const char* fault) {
    raise(kind, Message() << "gzip: " << name.c_str() << ": " << fault);
}

/// The compressed bytes: a descriptor, or memory.
class Input {
public:
    Input() = default;
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    ~Input() {
        if (descriptor >= 0) ::close(descriptor);
    }

    int descriptor = -1;
    std::span<const std::byte> memory;
    std::uint64_t size_left = 0;

    std::size_t read(std::span<std::byte> out, const std::string& name) {
        if (descriptor < 0) {
            const std::size_t count = std::min(out.size(), memory.size());
            if (count > 0) std::memcpy(out.data(), memory.data(), count);
            memory = memory.subspan(count);
            size_left -= count;
            return count;
        }
        for (;;) {
            const ssize_t count = ::read(descriptor, out.data(), out.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0)
                raise(ErrorKind::Io, Message() << "cannot read " << name.c_str() << ": " << std::strerror(errno));
            size_left -= std::min(size_left, static_cast<std::uint64_t>(count));
            return static_cast<std::size_t>(count);
        }
    }
};

}  // namespace

struct GzipReader::State {
    std::string name;
    Input input;
    std::vector<std::byte> buffer = std::vector<std::byte>(kBuffer);
    std::span<const std::byte> ready;  // the part of the buffer that is not used yet
    z_stream inflater = {};
    bool compressed = false;
    bool in_member = false;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (compressed) ::inflateEnd(&inflater);
    }

    /// Has some bytes ready unless the input has ended.
    bool fill() {
        if (ready.empty()) ready = std::span<const std::byte>(buffer).first(input.read(buffer, name));
        return !ready.empty();
    }

    void begin() {
        fill();
        compressed = ready.size() >= 2 && ready[0] == std::byte{0x1f} && ready[1] == std::byte{0x8b};
        if (!compressed) return;
        constexpr int kGzipWithLargestWindow = 16 + MAX_WBITS;
        if (::inflateInit2(&inflater, kGzipWithLargestWindow) != Z_OK) {
            compressed = false;
            raise(ErrorKind::OutOfMemory, Message() << "gzip: no memory for a decompressor");
        }
        in_member = true;
    }

    std::size_t copy(std::span<std::byte> out) {
        std::size_t written = 0;
        while (written < out.size() && fill()) {
            const std::size_t count = std::min(out.size() - written, ready.size());
            std::memcpy(out.data() + written, ready.data(), count);
            ready = ready.subspan(count);
            written += count;
        }
        return written;
    }

    /// Between members: begins the next, or finds the end. Padding with zeros, as tapes have it, is passed over.
    bool next_member() {
        while (fill() && ready[0] == std::byte{0}) ready = ready.subspan(1);
        if (ready.empty()) return false;
        if (ready[0] != std::byte{0x1f}) refuse(ErrorKind::Parse, name, "other bytes follow the compressed ones");
        ::inflateReset(&inflater);
        in_member = true;
        return true;
    }

    std::size_t decompress(std::span<std::byte> out) {
        std::size_t written = 0;
        while (written < out.size()) {
            if (!in_member && !next_member()) break;
            if (!fill()) refuse(ErrorKind::Parse, name, "the file is cut off");
            const std::size_t room = std::min<std::size_t>(out.size() - written, std::size_t{1} << 30);
            inflater.next_in =
                const_cast<Bytef*>(reinterpret_cast<const Bytef*>(ready.data()));  // zlib never writes there
            inflater.avail_in = static_cast<uInt>(ready.size());
            inflater.next_out = reinterpret_cast<Bytef*>(out.data() + written);
            inflater.avail_out = static_cast<uInt>(room);
            const int status = ::inflate(&inflater, Z_NO_FLUSH);
            ready = ready.last(inflater.avail_in);
            written += room - inflater.avail_out;
            if (status == Z_STREAM_END) in_member = false;
            if (status == Z_MEM_ERROR) raise(ErrorKind::OutOfMemory, Message() << "gzip: no memory for a decompressor");
            if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR) {
                const char* reason = inflater.msg != nullptr ? inflater.msg : "it needs a dictionary";
                refuse(ErrorKind::Parse, name, (std::string("the file is damaged (") + reason + ")").c_str());
            }
        }
        return written;
    }
};

GzipReader::GzipReader(std::unique_ptr<State> state) : state_(std::move(state)) { state_->begin(); }
GzipReader::GzipReader(GzipReader&&) noexcept = default;
GzipReader& GzipReader::operator=(GzipReader&&) noexcept = default;
GzipReader::~GzipReader() = default;

GzipReader GzipReader::open(const std::string& path) {
    const auto cannot = [&](const char* reason) {
        raise(ErrorKind::Io, Message() << "cannot read " << path.c_str() << ": " << reason);
    };
    auto state = std::make_unique<State>();
    state->name = path;
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    state->input.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (state->input.descriptor < 0) cannot(std::strerror(errno));
    struct stat facts = {};
    if (::fstat(state->input.descriptor, &facts) != 0) cannot(std::strerror(errno));
    if (S_ISDIR(facts.st_mode)) cannot("it is a folder; expected a file");
    if (!S_ISREG(facts.st_mode)) cannot("it is not a regular file");
    state->input.size_left = static_cast<std::uint64_t>(facts.st_size);
    return GzipReader(std::move(state));
}

GzipReader GzipReader::from_memory(std::span<const std::byte> bytes, std::string name) {
    auto state = std::make_unique<State>();
    state->name = std::move(name);
    state->input.memory = bytes;
    state->input.size_left = bytes.size();
    return GzipReader(std::move(state));
}

const std::string& GzipReader::name() const { return held(state_, "GzipReader").name; }

bool GzipReader::is_compressed() const { return held(state_, "GzipReader").compressed; }

std::uint64_t GzipReader::most_left() const {
    const State& state = held(state_, "GzipReader");
    const std::uint64_t stored = state.ready.size() + state.input.size_left;
    // What zlib holds back is in its window of 32 KiB.
    return state.compressed ? stored * kBestRatio + (32 << 10) : stored;
}

std::size_t GzipReader::read(std::span<std::byte> out) {
    State& state = held(state_, "GzipReader");
    return state.compressed ? state.decompress(out) : state.copy(out);
}

std::vector<std::byte> GzipReader::read_all(std::uint64_t limit) {
    std::vector<std::byte> all;
    std::vector<std::byte> piece(kBuffer);
    while (const std::size_t count = read(piece)) {
        if (count > limit - all.size()) {
            refuse(ErrorKind::Parse, name(),
                   ("the content is larger than " + std::to_string(limit) + " bytes").c_str());
        }
        all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return all;
}

}  // namespace burn::data
