#include <burn/ops/print_fields.h>

namespace burn::ops {

namespace {

template <class T>
const T& value_of(const Field& field) {
    return *static_cast<const T*>(field.value);
}

void write(Message& message, const SliceList& slices) {
    message << '[';
    const char* separator = "";
    for (const Slice& slice : slices) {
        message << separator << slice.start << ':';
        if (slice.end != Slice::kToEnd) message << slice.end;
        message << ':' << slice.step;
        separator = ", ";
    }
    message << ']';
}

}  // namespace

void PrintFields::field(const Field& field) {
    message_ << (first_ ? "" : ", ") << field.name << '=';
    first_ = false;
    if (values_ == Values::Structural && !field.structural) {
        message_ << '?';
        return;
    }
    switch (field.type) {
        case FieldType::Bool: message_ << value_of<bool>(field); break;
        case FieldType::Int: message_ << value_of<std::int64_t>(field); break;
        case FieldType::Float: message_ << value_of<double>(field); break;
        case FieldType::Scalar: message_ << value_of<Scalar>(field); break;
        case FieldType::DType: message_ << value_of<DType>(field); break;
        case FieldType::Enum: message_ << value_of<std::uint8_t>(field); break;
        case FieldType::Dims: message_ << value_of<Dims>(field); break;
        case FieldType::Slices: write(message_, value_of<SliceList>(field)); break;
    }
}

}  // namespace burn::ops
