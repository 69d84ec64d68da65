#include <burn/base/error.h>
#include <burn/ops/field.h>

#include "tests/fuzz/programs/program.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace burn::fuzz {

namespace {

constexpr const char* kFills[] = {"eighths",   "reals",   "positive", "unit",
                                  "above_one", "special", "indices",  "distinct"};

// ---- printing

std::string text(double number) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    std::string result = digits;
    if (result.find_first_of(".eni") == std::string::npos) result += ".0";  // tells it from a whole number
    return result;
}

std::string text(const Dims& dims) {
    std::string result = "[";
    for (std::size_t i = 0; i < dims.size(); ++i) result += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
    return result + "]";
}

std::string text(const Scalar& scalar) {
    return scalar.is_floating() ? text(scalar.to<double>()) : std::to_string(scalar.to<std::int64_t>());
}

class Printer final : public ops::FieldVisitor {
public:
    void field(const ops::Field& field) override {
        if (!result.empty()) result += ", ";
        result += std::string(field.name) + "=";
        switch (field.type) {
            case ops::FieldType::Bool: result += *static_cast<bool*>(field.value) ? "true" : "false"; break;
            case ops::FieldType::Int: result += std::to_string(*static_cast<std::int64_t*>(field.value)); break;
            case ops::FieldType::Float: result += text(*static_cast<double*>(field.value)); break;
            case ops::FieldType::Scalar: result += text(*static_cast<Scalar*>(field.value)); break;
            case ops::FieldType::DType: result += name_of(*static_cast<DType*>(field.value)); break;
            case ops::FieldType::Dims: result += text(*static_cast<Dims*>(field.value)); break;
            case ops::FieldType::Enum: result += std::to_string(*static_cast<std::uint8_t*>(field.value)); break;
            case ops::FieldType::Slices: {
                result += "[";
                for (const Slice& slice : *static_cast<ops::SliceList*>(field.value)) {
                    if (result.back() != '[') result += ", ";
                    result += std::to_string(slice.start) + ":" +
                              (slice.end == Slice::kToEnd ? "end" : std::to_string(slice.end)) + ":" +
                              std::to_string(slice.step);
                }
                result += "]";
                break;
            }
        }
    }

    std::string result;
};

// ---- parsing

/// Reads one line from left to right.
class Reader final : public ops::FieldVisitor {
public:
    explicit Reader(std::string_view line) : line_(line) {}

    Line read() {
        Line result;
        if (accept("@")) result.thread = static_cast<int>(integer());
        if (accept("read")) {
            result.kind = Line::Kind::Read;
            result.operands.push_back({value(), false});
        } else if (accept("drop")) {
            result.kind = Line::Kind::Drop;
            result.operands.push_back({value(), false});
        } else {
            do result.results.push_back(value());
            while (accept(","));
            expect("=");
            if (accept("input")) {
                read_source(result.source);
            } else {
                read_apply(result);
            }
        }
        skip();
        if (at_ != line_.size()) fail("the end of the line");
        return result;
    }

    void field(const ops::Field& field) override {
        if (!first_) expect(",");
        first_ = false;
        expect(field.name);
        expect("=");
        switch (field.type) {
            case ops::FieldType::Bool: {
                const std::string name = word();
                if (name != "true" && name != "false") fail("true or false");
                *static_cast<bool*>(field.value) = name == "true";
                break;
            }
            case ops::FieldType::Int: *static_cast<std::int64_t*>(field.value) = integer(); break;
            case ops::FieldType::Float: *static_cast<double*>(field.value) = scalar().to<double>(); break;
            case ops::FieldType::Scalar: *static_cast<Scalar*>(field.value) = scalar(); break;
            case ops::FieldType::DType: *static_cast<DType*>(field.value) = dtype(); break;
            case ops::FieldType::Dims: *static_cast<Dims*>(field.value) = dims(); break;
            case ops::FieldType::Enum:
                *static_cast<std::uint8_t*>(field.value) = static_cast<std::uint8_t>(integer());
                break;
            case ops::FieldType::Slices: *static_cast<ops::SliceList*>(field.value) = slices(); break;
        }
    }

private:
    [[noreturn]] void fail(const char* expected) {
        raise(ErrorKind::Parse, Message() << "program: expected " << expected << " at column " << at_ + 1 << " of \""
                                          << std::string(line_).c_str() << '"');
    }
    void skip() {
        while (at_ < line_.size() && line_[at_] == ' ') ++at_;
    }
    bool accept(std::string_view token) {
        skip();
        if (line_.substr(at_, token.size()) != token) return false;
        const std::size_t end = at_ + token.size();
        const bool is_word = std::isalnum(static_cast<unsigned char>(token[0])) != 0;
        if (is_word && end < line_.size() &&
            (std::isalnum(static_cast<unsigned char>(line_[end])) || line_[end] == '_'))
            return false;
        at_ = end;
        return true;
    }
    void expect(const char* token) {
        if (!accept(token)) fail(token);
    }
    std::string word() {
        skip();
        std::string result;
        while (at_ < line_.size() && (std::isalnum(static_cast<unsigned char>(line_[at_])) || line_[at_] == '_'))
            result += line_[at_++];
        if (result.empty()) fail("a name");
        return result;
    }
    Scalar scalar() {
        skip();
        const std::string rest(line_.substr(at_));
        char* end = nullptr;
        const double number = std::strtod(rest.c_str(), &end);
        if (end == rest.c_str()) fail("a number");
        const std::string token = rest.substr(0, static_cast<std::size_t>(end - rest.c_str()));
        at_ += token.size();
        if (token.find_first_of(".eni") != std::string::npos) return number;
        return static_cast<std::int64_t>(std::strtoll(token.c_str(), nullptr, 10));
    }
    std::int64_t integer() {
        const Scalar number = scalar();
        if (number.is_floating()) fail("a whole number");
        return number.to<std::int64_t>();
    }
    ValueId value() {
        expect("%");
        return static_cast<ValueId>(integer());
    }
    DType dtype() {
        const std::string name = word();
        for (int i = 0; i < kDTypeCount; ++i) {
            if (name == name_of(static_cast<DType>(i))) return static_cast<DType>(i);
        }
        fail("an element type");
    }
    Dims dims() {
        Dims result;
        expect("[");
        if (accept("]")) return result;
        do result.push_back(integer());
        while (accept(","));
        expect("]");
        return result;
    }
    ops::SliceList slices() {
        ops::SliceList result;
        expect("[");
        if (accept("]")) return result;
        do {
            Slice slice;
            slice.start = integer();
            expect(":");
            slice.end = accept("end") ? Slice::kToEnd : integer();
            expect(":");
            slice.step = integer();
            result.push_back(slice);
        } while (accept(","));
        expect("]");
        return result;
    }
    void read_source(Source& source) {
        source.spec.dtype = dtype();
        source.spec.shape = dims();
        const std::string fill = word();
        std::size_t which = 0;
        while (which < std::size(kFills) && fill != kFills[which]) ++which;
        if (which == std::size(kFills)) fail("what the elements are");
        source.fill = static_cast<Fill>(which);
        if (source.fill == Fill::Indices || source.fill == Fill::Distinct) source.bound = integer();
        source.seed = static_cast<std::uint64_t>(integer());
    }
    void read_apply(Line& result) {
        result.kind = Line::Kind::Apply;
        const ops::OpCode code = find_op(word());
        if (code == ops::OpCode::Custom) fail("an operation");
        result.op = blank_op(code);
        expect("(");
        result.op->visit_fields(*this);
        expect(")");
        skip();
        while (at_ < line_.size()) {
            const ValueId operand = value();
            result.operands.push_back({operand, accept("~")});
            skip();
        }
    }

    std::string_view line_;
    std::size_t at_ = 0;
    bool first_ = true;
};

}  // namespace

std::string print(const Line& line) {
    std::string result = line.thread == 0 ? "" : "@" + std::to_string(line.thread) + " ";
    for (std::size_t i = 0; i < line.results.size(); ++i)
        result += (i == 0 ? "%" : ", %") + std::to_string(line.results[i]);
    switch (line.kind) {
        case Line::Kind::Input: {
            const Source& source = line.source;
            result += std::string(" = input ") + name_of(source.spec.dtype) + " " + text(source.spec.shape) + " " +
                      kFills[static_cast<std::size_t>(source.fill)];
            if (source.fill == Fill::Indices || source.fill == Fill::Distinct)
                result += " " + std::to_string(source.bound);
            return result + " " + std::to_string(source.seed);
        }
        case Line::Kind::Apply: {
            Printer printer;
            line.op->visit_fields(printer);
            result += std::string(" = ") + line.op->name() + "(" + printer.result + ")";
            break;
        }
        case Line::Kind::Read: result += "read"; break;
        case Line::Kind::Drop: result += "drop"; break;
    }
    for (const Operand& operand : line.operands)
        result += " %" + std::to_string(operand.value) + (operand.given_away ? "~" : "");
    return result;
}

std::string print(const Program& program) {
    std::string result;
    for (const Line& line : program.lines) result += print(line) + "\n";
    return result;
}

Program parse(std::string_view text) {
    Program program;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t comment = line.find('#'); comment != std::string::npos) line.resize(comment);
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
        if (!line.empty()) program.lines.push_back(Reader(line).read());
    }
    return program;
}

}  // namespace burn::fuzz
