#include "picture.h"

#include <array>

namespace guide {

namespace {

constexpr std::size_t kSide = burn::data::MnistItem::kSide;

/// One of the 24 greys that terminals with 256 colours have, as their number.
std::string grey(std::uint8_t value) { return std::to_string(232 + value * 24 / 256); }

}  // namespace

std::vector<std::string> picture_of(const burn::data::MnistItem& item, bool colours) {
    constexpr std::array kShades = {" ", "░", "▒", "▓", "█"};
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < kSide; row += 2) {
        std::string line;
        for (std::size_t column = 0; column < kSide; ++column) {
            const std::uint8_t upper = item.image[row * kSide + column];
            const std::uint8_t lower = item.image[(row + 1) * kSide + column];
            if (colours) {
                line += "\x1b[38;5;" + grey(upper) + ";48;5;" + grey(lower) + "m▀";
            } else {
                line += kShades[static_cast<std::size_t>((upper + lower) * 5 / 512)];
            }
        }
        if (colours) line += "\x1b[0m";
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace guide
