#pragma once

#include <burn/base/cpu_features.h>
#include <burn/compiler/disk_cache.h>

#include <span>
#include <string>

namespace burn::cpu {

/// What a code generator said of itself: enough to find objects that it made, and to load them without it.
struct GeneratorFacts {
    std::string target;
    int vector_bytes = 0;

    bool operator==(const GeneratorFacts&) const = default;
};

/// Remembers on disk what plug-ins say, for opening one opens LLVM: that takes longer than many a program runs.
///
/// Believed only while the files that may be the plug-in and the one of the compiler's library are what they were, for programs of
/// the same build stamp and on the same processor.
class KnownPlugins {
public:
    /// With a file each in `folder`; an empty text keeps none.
    explicit KnownPlugins(std::string folder) : cache_(std::move(folder), "plugin", kLimit) {}

    /// What the plug-in says, for an instruction set, that is the first among these files; false where it has to be asked.
    ///
    /// Those that are not there are no matter, and those that are there and no plug-in were seen to be none.
    bool find(std::span<const std::string> files, Isa isa, GeneratorFacts& facts) const;
    /// Keeps what it said; `library` is the file of the library that it compiles with.
    void keep(std::span<const std::string> files, const std::string& library, Isa isa, const GeneratorFacts& facts);

private:
    static constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

    compiler::DiskCache cache_;
};

}  // namespace burn::cpu
