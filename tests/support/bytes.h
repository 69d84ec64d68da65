#pragma once

#include <burn/base/error.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Bytes as tests write them down.
namespace bytes {

inline std::span<const std::byte> of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::vector<std::byte> from_hex(std::string_view hex) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        out.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return out;
}

inline std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

/// An integer in little-endian order, as a text.
template <class T>
std::string little(T value) {
    std::string out(sizeof value, '\0');
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

inline std::string join(std::initializer_list<std::string_view> pieces) {
    std::string out;
    for (std::string_view piece : pieces) out += piece;
    return out;
}

}  // namespace bytes

/// Runs `statement`, which must throw a burn error of `kind`, and gives its message.
template <class Statement>
std::string message_of(burn::ErrorKind kind, Statement statement) {
    try {
        statement();
    } catch (const burn::Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no " << burn::error_name(kind);
    return "";
}
