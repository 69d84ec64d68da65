#include <burn/base/error.h>
#include <burn/data/gzip.h>
#include <burn/data/idx.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace burn::data {

namespace {

std::optional<DType> dtype_of_code(unsigned code) {
    switch (code) {
        case 0x08: return DType::U8;
        case 0x09: return DType::I8;
        case 0x0B: return DType::I16;
        case 0x0C: return DType::I32;
        case 0x0D: return DType::F32;
        case 0x0E: return DType::F64;
        default: return std::nullopt;
    }
}

/// Where errors happen: the file, and what is being read of it.
class IdxReader {
public:
    explicit IdxReader(GzipReader reader) : reader_(std::move(reader)) {}

    TensorData read() {
        std::byte head[4];
        if (reader_.read(head) != sizeof head) refuse(Message() << "the file is too short for IDX");
        const auto number = [&](std::size_t i) { return std::to_integer<unsigned>(head[i]); };
        if (number(0) != 0 || number(1) != 0) {
            refuse(Message() << "the file begins with bytes " << number(0) << ' ' << number(1) << ' ' << number(2)
                             << ' ' << number(3) << "; expected 0 0, a type and a number of axes, as IDX has them");
        }
        const std::optional<DType> dtype = dtype_of_code(number(2));
        if (!dtype) refuse(Message() << "unknown type " << number(2) << "; expected 8, 9, 11, 12, 13 or 14");
        const std::size_t axes = number(3);
        if (axes == 0 || axes > kMaxRank) refuse(Message() << axes << " axes; expected 1 to " << kMaxRank);

        const Shape shape = read_shape(axes);
        const std::uint64_t bytes = byte_size(shape, *dtype);
        if (bytes > reader_.most_left()) {
            refuse(Message() << bytes << " bytes of " << *dtype << ' ' << shape
                             << " are more than a file of this size can hold");
        }
        Ref<Block> block = Block::make(static_cast<std::size_t>(bytes));
        const std::span<std::byte> values(block->data(), static_cast<std::size_t>(bytes));
        const std::size_t got = reader_.read(values);
        if (got != values.size()) {
            refuse(Message() << "the values end after " << got << " bytes; expected " << bytes << " for " << *dtype
                             << ' ' << shape);
        }
        std::byte after[1];
        if (reader_.read(after) != 0) {
            refuse(Message() << "more bytes follow the values; expected " << bytes << " for " << *dtype << ' '
                             << shape);
        }
        if constexpr (std::endian::native == std::endian::little) reverse_elements(values, size_of(*dtype));
        return TensorData::from_block(std::move(block), shape, *dtype);
    }

private:
    [[noreturn]] void refuse(const Message& fault) const {
        raise(ErrorKind::Parse, Message() << "idx: " << reader_.name().c_str() << ": " << fault.text());
    }

    Shape read_shape(std::size_t axes) {
        Shape shape;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            std::byte size[4];
            if (reader_.read(size) != sizeof size) refuse(Message() << "the file ends inside the sizes of its axes");
            std::int64_t value = 0;
            for (std::byte byte : size) value = value << 8 | std::to_integer<std::int64_t>(byte);
            shape.push_back(value);
        }
        return shape;
    }

    std::uint64_t byte_size(const Shape& shape, DType dtype) const {
        if (!is_valid_shape(shape)) refuse(Message() << "the sizes " << shape << " are too large");
        return static_cast<std::uint64_t>(shape.numel()) * size_of(dtype);
    }

    static void reverse_elements(std::span<std::byte> values, std::size_t size) {
        for (std::size_t i = 0; size > 1 && i < values.size(); i += size) {
            std::reverse(values.begin() + static_cast<std::ptrdiff_t>(i),
                         values.begin() + static_cast<std::ptrdiff_t>(i + size));
        }
    }

    GzipReader reader_;
};

}  // namespace

TensorData read_idx(const std::string& path) { return IdxReader(GzipReader::open(path)).read(); }

TensorData read_idx(std::span<const std::byte> bytes, std::string name) {
    return IdxReader(GzipReader::from_memory(bytes, std::move(name))).read();
}

}  // namespace burn::data
