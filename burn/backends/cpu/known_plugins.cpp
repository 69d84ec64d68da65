#include <burn/backends/cpu/known_plugins.h>

#include <burn/backends/cpu/code_generator.h>
#include <burn/backends/cpu/processor.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace burn::cpu {

namespace {

/// Of what is kept; changes when another version of this file would read it wrongly.
constexpr std::uint64_t kFormat = 1;

/// A text of numbers and texts, each of which ends where it says.
class Writer {
public:
    void add(std::uint64_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
    void add(const std::string& text) {
        add(text.size());
        text_ += text;
    }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(text_)); }

private:
    std::string text_;
};

/// Reads what a Writer wrote; zeros and empty texts where there is nothing any more.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    std::uint64_t number() {
        std::uint64_t number = 0;
        if (rest_.size() < sizeof(number)) return 0;
        std::memcpy(&number, rest_.data(), sizeof(number));
        rest_ = rest_.subspan(sizeof(number));
        return number;
    }
    std::string text() {
        const std::size_t size = std::min<std::uint64_t>(number(), rest_.size());
        std::string text(reinterpret_cast<const char*>(rest_.data()), size);
        rest_ = rest_.subspan(size);
        return text;
    }

private:
    std::span<const std::byte> rest_;
};

/// What changes when a file is written or another takes its place; false where there is none.
///
/// Not the device: that of a container's files is another one each time.
bool add_file(Writer& writer, const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return false;
    writer.add(path);
    writer.add(static_cast<std::uint64_t>(status.st_ino));
    writer.add(static_cast<std::uint64_t>(status.st_size));
    for (const timespec& time : {status.st_mtim, status.st_ctim}) {
        writer.add(static_cast<std::uint64_t>(time.tv_sec));
        writer.add(static_cast<std::uint64_t>(time.tv_nsec));
    }
    return true;
}

/// The question to which facts are the answer; false where it cannot be put.
bool write_key(Writer& key, std::span<const std::string> files, Isa isa) {
    const std::string processor = processor_identity();
    std::size_t there = 0;
    for (const std::string& file : files) there += add_file(key, file) ? 1 : 0;
    if (processor.empty() || there == 0) return false;
    key.add(kFormat);
    key.add(kPluginVersion);
    key.add(PluginEntry().stamp);
    key.add(static_cast<std::uint64_t>(isa));
    key.add(processor);
    return true;
}

}  // namespace

bool KnownPlugins::find(std::span<const std::string> files, Isa isa, GeneratorFacts& facts) const {
    Writer key, library_now;
    std::vector<std::byte> value;
    if (!write_key(key, files, isa) || !cache_.find(key.bytes(), value)) return false;
    Reader reader(value);
    const std::string library = reader.text(), library_then = reader.text();
    if (!add_file(library_now, library)) return false;
    if (!std::ranges::equal(library_now.bytes(), std::as_bytes(std::span(library_then)))) return false;
    facts.vector_bytes = static_cast<int>(reader.number());
    facts.target = reader.text();
    const bool is_width = facts.vector_bytes == 16 || facts.vector_bytes == 32 || facts.vector_bytes == 64;
    return is_width && !facts.target.empty();
}

void KnownPlugins::keep(std::span<const std::string> files, const std::string& library, Isa isa,
                        const GeneratorFacts& facts) {
    Writer key, library_now, value;
    if (!write_key(key, files, isa) || !add_file(library_now, library)) return;
    value.add(library);
    value.add(std::string(reinterpret_cast<const char*>(library_now.bytes().data()), library_now.bytes().size()));
    value.add(static_cast<std::uint64_t>(facts.vector_bytes));
    value.add(facts.target);
    cache_.keep(key.bytes(), value.bytes());
}

}  // namespace burn::cpu
