#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace burn::training {

/// Where lines for people go: a terminal, a pipe, a log file.
class TextOutput {
public:
    virtual ~TextOutput() = default;
    /// Errors    IoError
    virtual void write(std::string_view text) = 0;
    /// Characters in a line of the terminal as it is now; 0 when it is none.
    virtual std::size_t width() const { return 0; }
};

/// The program's standard output.
class StandardOutput final : public TextOutput {
public:
    void write(std::string_view text) override;
    /// Also 0 on a terminal that does not know how to clear a line (TERM is dumb).
    std::size_t width() const override;
};

/// A file that is written from its start, or further from its end.
class FileOutput final : public TextOutput {
public:
    enum class Start { Fresh, Append };
    /// Errors    IoError naming the path
    FileOutput(std::string path, Start start);
    FileOutput(const FileOutput&) = delete;
    FileOutput& operator=(const FileOutput&) = delete;
    ~FileOutput() override;

    void write(std::string_view text) override;

private:
    std::string path_;
    int descriptor_;
};

}  // namespace burn::training
