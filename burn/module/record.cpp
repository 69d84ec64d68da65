#include <burn/module/record.h>

#include <burn/base/error.h>
#include <burn/base/hash.h>

namespace burn {

namespace {

std::size_t length_of(const char* text) {
    std::size_t size = 0;
    while (text[size] != '\0') ++size;
    return size;
}

std::uint64_t hash_of(const char* path) {
    Hasher hasher;
    hasher.add_bytes(path, length_of(path));
    return hasher.value();
}

/// The rest of `path` behind "prefix."; null when it does not begin so.
const char* behind(const char* path, const char* prefix) {
    while (*prefix != '\0' && *path == *prefix) ++path, ++prefix;
    return *prefix == '\0' && *path == '.' ? path + 1 : nullptr;
}

Path joined(const char* prefix, const Path& path) {
    Path whole(prefix);
    whole.push(path.text());
    return whole;
}

const char* type_name(RecordNumber::Type type) {
    switch (type) {
        case RecordNumber::Type::Int: return "Int";
        case RecordNumber::Type::UInt: return "UInt";
        case RecordNumber::Type::Float: return "Float";
        case RecordNumber::Type::Bool: return "Bool";
    }
    return "";
}

[[noreturn]] void refuse_number(RecordNumber::Type type, const char* wanted) {
    raise(ErrorKind::Record, Message() << "record: a number of type " << type_name(type) << " does not fit " << wanted);
}

}  // namespace

template <>
bool RecordNumber::as<bool>() const {
    if (type_ != Type::Bool) refuse_number(type_, "a bool");
    return unsigned_ != 0;
}

template <>
std::int64_t RecordNumber::as<std::int64_t>() const {
    const bool fits = type_ == Type::Int || (type_ == Type::UInt && signed_ >= 0);
    if (!fits) refuse_number(type_, "a signed integer");
    return signed_;
}

template <>
std::uint64_t RecordNumber::as<std::uint64_t>() const {
    const bool fits = type_ == Type::UInt || (type_ == Type::Int && signed_ >= 0);
    if (!fits) refuse_number(type_, "an unsigned integer");
    return unsigned_;
}

template <>
double RecordNumber::as<double>() const {
    if (type_ != Type::Float) refuse_number(type_, "a floating-point number");
    return floating_;
}

/// The position of the entry, or that behind the last when there is none.
template <class Entries>
std::size_t Record::Index::find(const Entries& entries, const char* path) const {
    if (slots_.empty()) return entries.size();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash_of(path) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
        const std::size_t position = slots_[slot] - 1;
        if (entries[position].path == path) return position;
    }
    return entries.size();
}

template <class Entries>
void Record::Index::add_last(const Entries& entries) {
    const auto place = [&](std::size_t position) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash_of(entries[position].path.text()) & mask;
        while (slots_[slot] != 0) slot = (slot + 1) & mask;
        slots_[slot] = static_cast<std::uint32_t>(position + 1);
    };
    if (2 * entries.size() <= slots_.size()) {
        place(entries.size() - 1);
        return;
    }
    const std::size_t larger = slots_.empty() ? 16 : 2 * slots_.size();
    slots_.clear();
    slots_.resize(larger, 0);
    for (std::size_t i = 0; i < entries.size(); ++i) place(i);
}

void Record::add(Tensor tensor) {
    if (find_tensor(tensor.path.text()) != nullptr) {
        raise(ErrorKind::Argument, Message() << "record: there is a tensor \"" << tensor.path << "\" already");
    }
    tensors_.push_back(std::move(tensor));
    tensor_index_.add_last(tensors_);
}

void Record::add(Number number) {
    if (find_number(number.path.text()) != nullptr) {
        raise(ErrorKind::Argument, Message() << "record: there is a number \"" << number.path << "\" already");
    }
    numbers_.push_back(std::move(number));
    number_index_.add_last(numbers_);
}

void Record::add(const char* path, TensorData data, ParamId id) {
    const TensorSpec spec = data.spec();
    add(Tensor{Path(path), spec, id, std::move(data), nullptr});
}

void Record::add(const char* path, const TensorSpec& spec, Ref<RecordValues> later, ParamId id) {
    add(Tensor{Path(path), spec, id, TensorData(), std::move(later)});
}

void Record::add(const char* path, RecordNumber value) { add(Number{Path(path), value}); }

void Record::add(const char* path, const Record& part) {
    for (Tensor tensor : part.tensors()) {
        tensor.path = joined(path, tensor.path);
        add(std::move(tensor));
    }
    for (Number number : part.numbers()) {
        number.path = joined(path, number.path);
        add(std::move(number));
    }
}

const Record::Tensor* Record::find_tensor(const char* path) const {
    const std::size_t position = tensor_index_.find(tensors_, path);
    return position < tensors_.size() ? &tensors_[position] : nullptr;
}

const RecordNumber* Record::find_number(const char* path) const {
    const std::size_t position = number_index_.find(numbers_, path);
    return position < numbers_.size() ? &numbers_[position].value : nullptr;
}

const Record::Tensor& Record::tensor(const char* path) const {
    const Tensor* tensor = find_tensor(path);
    if (tensor == nullptr) raise(ErrorKind::Record, Message() << "record: there is no tensor \"" << path << "\"");
    return *tensor;
}

const RecordNumber& Record::number(const char* path) const {
    const RecordNumber* number = find_number(path);
    if (number == nullptr) raise(ErrorKind::Record, Message() << "record: there is no number \"" << path << "\"");
    return *number;
}

Record Record::part(const char* path) const {
    Record part;
    for (const Tensor& tensor : tensors()) {
        const char* rest = behind(tensor.path.text(), path);
        if (rest != nullptr) part.add(Tensor{Path(rest), tensor.spec, tensor.id, tensor.data, tensor.later});
    }
    for (const Number& number : numbers()) {
        const char* rest = behind(number.path.text(), path);
        if (rest != nullptr) part.add(rest, number.value);
    }
    return part;
}

}  // namespace burn
