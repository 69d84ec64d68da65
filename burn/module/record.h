#pragma once

#include <burn/base/small_vector.h>
#include <burn/core/tensor_data.h>
#include <burn/module/any_param.h>
#include <burn/module/path.h>

#include <concepts>
#include <cstdint>
#include <span>

namespace burn {

/// A number of a record, with the type it was stored under: a step count, a learning rate, a flag.
class RecordNumber {
public:
    enum class Type : std::uint8_t { Int, UInt, Float, Bool };

    RecordNumber() : signed_(0) {}
    RecordNumber(bool value) : type_(Type::Bool), unsigned_(value ? 1 : 0) {}  // NOLINT: numbers are record numbers
    RecordNumber(std::floating_point auto value) : type_(Type::Float), floating_(value) {}    // NOLINT
    RecordNumber(std::signed_integral auto value) : type_(Type::Int), signed_(value) {}       // NOLINT
    RecordNumber(std::unsigned_integral auto value) : type_(Type::UInt), unsigned_(value) {}  // NOLINT

    Type type() const { return type_; }

    /// The value as bool, a 64-bit integer or double.
    ///
    /// Errors    RecordError when T cannot hold it exactly
    template <class T>
    T as() const;

    /// Types and bits are the same.
    bool operator==(const RecordNumber& other) const { return type_ == other.type_ && unsigned_ == other.unsigned_; }

private:
    Type type_ = Type::Int;
    union {
        std::int64_t signed_;
        std::uint64_t unsigned_;
        double floating_;
    };
};

template <>
bool RecordNumber::as<bool>() const;
template <>
std::int64_t RecordNumber::as<std::int64_t>() const;
template <>
std::uint64_t RecordNumber::as<std::uint64_t>() const;
template <>
double RecordNumber::as<double>() const;

/// Values that are read when somebody asks: a record of a large file costs little until then.
class RecordValues : public Counted {
public:
    virtual TensorData read() const = 0;
};

/// A snapshot of the state of something: tensors and numbers by path. What files hold, in memory.
///
/// Optimisers, schedulers and random generators give and take one; `burn/store/record.h` makes one of a module, and
/// keeps it in a file.
///
/// Memory    tensors share their bytes with whoever they come from
/// Example   Record record;  record.add("12.momentum", data, 12);  record.add("step", std::int64_t{100});
class Record {
public:
    struct Tensor {
        Path path;
        TensorSpec spec;
        ParamId id = 0;           ///< of the parameter it is, or belongs to; 0 for none
        TensorData data;          ///< unless
        Ref<RecordValues> later;  ///< is set

        TensorData read() const { return later ? later->read() : data; }
    };
    struct Number {
        Path path;
        RecordNumber value;
    };

    /// Errors    ArgumentError when a tensor of this path is there already
    void add(const char* path, TensorData data, ParamId id = 0);
    void add(const char* path, const TensorSpec& spec, Ref<RecordValues> later, ParamId id = 0);
    /// Errors    ArgumentError when a number of this path is there already
    void add(const char* path, RecordNumber value);
    /// Everything of another record, below a path: "optimizer" makes "step" to "optimizer.step".
    void add(const char* path, const Record& part);

    /// In the order in which they were added. They live as long as the record does.
    std::span<const Tensor> tensors() const& { return {tensors_.data(), tensors_.size()}; }
    std::span<const Number> numbers() const& { return {numbers_.data(), numbers_.size()}; }
    std::span<const Tensor> tensors() && = delete;
    std::span<const Number> numbers() && = delete;
    /// Null when there is none.
    const Tensor* find_tensor(const char* path) const;
    const RecordNumber* find_number(const char* path) const;
    /// Errors    RecordError when there is none
    const Tensor& tensor(const char* path) const;
    const RecordNumber& number(const char* path) const;

    /// What lies below a path, without it: the inverse of adding a part.
    Record part(const char* path) const;

private:
    /// Finds entries by path: a table of hashed positions, at most half full.
    class Index {
    public:
        template <class Entries>
        std::size_t find(const Entries& entries, const char* path) const;
        template <class Entries>
        void add_last(const Entries& entries);

    private:
        SmallVector<std::uint32_t, 1> slots_;  // position + 1, or 0; their number is a power of two
    };

    void add(Tensor tensor);
    void add(Number number);

    SmallVector<Tensor, 1> tensors_;
    SmallVector<Number, 1> numbers_;
    Index tensor_index_;
    Index number_index_;
};

/// What gives its state as a record and takes it back. `load_record` raises a RecordError, and changes nothing, when the
/// record is not one of its own.
template <class T>
concept Recordable = requires(const T& source, T& target, const Record& record) {
    { source.record() } -> std::same_as<Record>;
    target.load_record(record);
};

}  // namespace burn
