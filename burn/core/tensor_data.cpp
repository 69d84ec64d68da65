#include <burn/core/tensor_data.h>

#include <burn/core/convert.h>

namespace burn {

TensorData::TensorData() : TensorData(Shape{0}, DType::F32) {}

TensorData::TensorData(const Shape& shape, DType dtype) : spec_{shape, dtype} {
    require_valid_shape(shape, "TensorData");
    block_ = Block::make(byte_size());
    __builtin_memset(block_->data(), 0, byte_size());
}

TensorData TensorData::from_bytes(std::span<const std::byte> bytes, const Shape& shape, DType dtype,
                                  std::size_t count) {
    require_valid_shape(shape, "TensorData");
    if (static_cast<std::int64_t>(count) != shape.numel()) {
        raise(ErrorKind::Shape,
              Message() << "TensorData: " << count << " values for shape " << shape << "; expected " << shape.numel());
    }
    return from_raw(bytes, shape, dtype);
}

TensorData TensorData::from_raw(std::span<const std::byte> bytes, const Shape& shape, DType dtype) {
    TensorData data(shape, dtype);
    if (bytes.size() != data.byte_size()) {
        raise(ErrorKind::Shape, Message() << "TensorData: " << bytes.size() << " bytes for " << dtype << ' ' << shape
                                          << "; expected " << data.byte_size());
    }
    if (!bytes.empty()) __builtin_memcpy(data.block_->data(), bytes.data(), bytes.size());
    return data;
}

TensorData TensorData::from_block(Ref<Block> block, const Shape& shape, DType dtype) {
    require_valid_shape(shape, "TensorData");
    TensorData data;
    data.spec_ = {shape, dtype};
    if (block->size() < data.byte_size()) {
        raise(ErrorKind::Shape, Message() << "TensorData: a block of " << block->size() << " bytes for " << dtype << ' '
                                          << shape << "; expected at least " << data.byte_size());
    }
    data.block_ = std::move(block);
    return data;
}

std::span<std::byte> TensorData::mutable_bytes() {
    if (!held(block_, "TensorData").unique()) {
        Ref<Block> copy = Block::make(byte_size());
        __builtin_memcpy(copy->data(), block_->data(), byte_size());
        block_ = std::move(copy);
    }
    return {block_->data(), byte_size()};
}

double TensorData::at(std::int64_t index) const {
    if (index < 0 || index >= numel()) {
        raise(ErrorKind::Index, Message() << "TensorData: element " << index << " of " << numel());
    }
    return visit_dtype(
        dtype(), [&]<class T>(T) { return convert_element<double>(reinterpret_cast<const T*>(memory())[index]); });
}

TensorData TensorData::convert(DType dtype) const {
    if (dtype == spec_.dtype) return *this;
    TensorData result(shape(), dtype);
    const auto count = static_cast<std::size_t>(numel());
    visit_dtype(spec_.dtype, [&]<class From>(From) {
        const auto* from = reinterpret_cast<const From*>(memory());
        visit_dtype(dtype, [&]<class To>(To) {
            auto* to = reinterpret_cast<To*>(result.block_->data());
            for (std::size_t i = 0; i < count; ++i) to[i] = convert_element<To>(from[i]);
        });
    });
    return result;
}

TensorData TensorData::reshape(const Shape& shape) const {
    require_valid_shape(shape, "TensorData::reshape");
    if (shape.numel() != numel()) {
        raise(ErrorKind::Shape, Message() << "TensorData::reshape: " << spec_.shape << " has " << numel()
                                          << " elements, " << shape << " has " << shape.numel());
    }
    TensorData result = *this;
    result.spec_.shape = shape;
    return result;
}

bool TensorData::operator==(const TensorData& other) const {
    return spec_ == other.spec_ && __builtin_memcmp(memory(), other.memory(), byte_size()) == 0;
}

void TensorData::require_dtype(DType dtype) const {
    if (dtype != spec_.dtype) {
        raise(ErrorKind::DType, Message() << "TensorData: values are " << spec_.dtype << ", asked for as " << dtype
                                          << "; use convert first");
    }
}

void TensorData::put_row(std::size_t index, const TensorData& row) {
    Shape expected = spec_.shape;
    expected.erase(0);
    if (!(row.shape() == expected)) {
        raise(ErrorKind::Shape, Message() << "TensorData: row " << index << " has shape " << row.shape()
                                          << "; the first has " << expected);
    }
    __builtin_memcpy(mutable_bytes().data() + index * row.byte_size(), row.memory(), row.byte_size());
}

}  // namespace burn
