#include <burn/tensor/print.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <ostream>

namespace burn {

namespace {

std::mutex options_lock;
PrintOptions shared_options;

/// Plain digits for numbers of everyday size, an exponent for others; always recognisable as floating.
template <class T>
std::string float_text(T value, std::optional<int> precision) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char text[400];
    char* end = text;
    if (precision) {
        end = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, *precision).ptr;
        return std::string(text, end);
    }
    const T size = std::abs(value);
    const bool plain = size == 0 || (size >= T(1e-5) && size < T(1e16));
    end = std::to_chars(text, text + sizeof(text), value,
                        plain ? std::chars_format::fixed : std::chars_format::scientific)
              .ptr;
    std::string result(text, end);
    if (plain && result.find('.') == std::string::npos) result += ".0";
    return result;
}

class Printer {
public:
    Printer(const TensorData& data, const PrintOptions& options)
        : data_(data), options_(options), abridged_(data.numel() > options.threshold) {}

    std::string run() {
        write_axis(0, 0);
        return std::move(text_);
    }

private:
    /// Everything of axis `axis` and below, from element number `first` on.
    void write_axis(std::size_t axis, std::int64_t first) {
        const Shape& shape = data_.shape();
        if (axis == shape.rank()) return write_element(first);
        std::int64_t stride = 1;
        for (std::size_t i = axis + 1; i < shape.rank(); ++i) stride *= shape[i];
        const std::int64_t size = shape[axis];
        const bool last = axis + 1 == shape.rank();
        const std::string separator = last ? ", " : ",\n" + std::string(axis + 1, ' ');
        const bool cut = abridged_ && size > 2 * options_.edge_items;
        text_ += '[';
        for (std::int64_t i = 0; i < size; ++i) {
            if (i > 0) text_ += separator;
            if (cut && i == options_.edge_items) {
                text_ += "...";
                i = size - options_.edge_items - 1;
                continue;
            }
            write_axis(axis + 1, first + i * stride);
        }
        text_ += ']';
    }

    void write_element(std::int64_t place) {
        const auto index = static_cast<std::size_t>(place);
        visit_dtype(data_.dtype(), [&]<class T>(T) {
            const T value = data_.values<T>()[index];
            if constexpr (std::is_same_v<T, bool>) {
                text_ += value ? "true" : "false";
            } else if constexpr (std::is_integral_v<T>) {
                text_ += std::to_string(value);
            } else if constexpr (std::is_same_v<T, double>) {
                text_ += float_text(value, options_.precision);
            } else {
                text_ += float_text(static_cast<float>(value), options_.precision);
            }
        });
    }

    const TensorData& data_;
    const PrintOptions& options_;
    bool abridged_;
    std::string text_;
};

}  // namespace

void set_print_options(const PrintOptions& options) {
    if (options.threshold < 0 || options.edge_items < 1 || options.precision.value_or(0) < 0) {
        raise(ErrorKind::Argument, Message() << "set_print_options: threshold " << options.threshold << ", edge_items "
                                             << options.edge_items << ", precision " << options.precision.value_or(0)
                                             << "; expected at least 0, 1 and 0");
    }
    const std::scoped_lock lock(options_lock);
    shared_options = options;
}

PrintOptions print_options() {
    const std::scoped_lock lock(options_lock);
    return shared_options;
}

std::string to_string(const TensorData& data, const PrintOptions& options) { return Printer(data, options).run(); }

std::string to_string(const TensorData& data) { return to_string(data, print_options()); }

std::ostream& print_tensor(std::ostream& out, const TensorData& data, const char* device) {
    PrintOptions options = print_options();
    if ((out.flags() & std::ios_base::fixed) != 0) options.precision = static_cast<int>(out.precision());
    Message shape;
    shape << "" << data.shape();
    return out << "Tensor {\n  data:\n"
               << to_string(data, options) << ",\n  shape:  " << shape.text() << ",\n  device:  " << device
               << ",\n  kind:  \"" << name_of(kind_of(data.dtype())) << "\",\n  dtype:  \"" << name_of(data.dtype())
               << "\",\n}";
}

void check_closeness(std::ostream& out, const TensorData& a, const TensorData& b) {
    if (!(a.shape() == b.shape())) {
        raise(ErrorKind::Shape, Message() << "check_closeness: shapes differ: " << a.shape() << " and " << b.shape());
    }
    double epsilon = 0.1;
    for (int digits = 1; digits <= 8; ++digits, epsilon /= 10) {
        std::int64_t close = 0;
        for (std::int64_t i = 0; i < a.numel(); ++i) {
            const double x = a.at(i);
            const double y = b.at(i);
            if (x == y || (std::isfinite(y) && std::abs(x - y) <= epsilon + epsilon * std::abs(y))) ++close;
        }
        const double share = a.numel() == 0 ? 100 : 100.0 * static_cast<double>(close) / static_cast<double>(a.numel());
        const char* verdict = share == 100  ? "\033[32mPASS\033[0m"
                              : share >= 90 ? "\033[33mWARN\033[0m"
                                            : "\033[31mFAIL\033[0m";
        char line[80];
        std::snprintf(line, sizeof(line), "epsilon 1e-%d: %6.2f %% within tolerance  %s\n", digits, share, verdict);
        out << line;
    }
}

}  // namespace burn
