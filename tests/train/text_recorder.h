#pragma once

#include <burn/train/text_output.h>

#include <string>

namespace burn::training {

/// Keeps what is written, as a terminal of some width or (0) as none.
class TextRecorder final : public TextOutput {
public:
    explicit TextRecorder(std::size_t its_width = 0) : width_(its_width) {}
    void write(std::string_view piece) override { text += piece; }
    std::size_t width() const override { return width_; }
    /// What came since the last call.
    std::string take() { return std::exchange(text, {}); }

    std::string text;

private:
    std::size_t width_;
};

}  // namespace burn::training
