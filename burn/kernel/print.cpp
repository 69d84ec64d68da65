#include <burn/kernel/element.h>
#include <burn/kernel/text.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace burn::kernel {

namespace {

bool is_plain(std::string_view name) {
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
    }
    return !name.empty();
}

/// Appends the text of a kernel; what `verify` would refuse is printed too, as far as it goes.
class Printer {
public:
    explicit Printer(const Kernel& kernel) : kernel_(kernel), seen_blocks_(kernel.blocks.size(), false) {}

    std::string run() {
        text_ = "kernel ";
        name(kernel_.name);
        text_ += "(units ";
        number(kernel_.units);
        text_ += ", plane ";
        number(kernel_.plane);
        text_ += ") {\n";
        depth_ = 1;
        for (const NodeId id : kernel_.parameters) node(id);
        if (!kernel_.blocks.empty()) block(0);
        text_ += "}\n";
        return std::move(text_);
    }

private:
    template <class T>
    void number(T value, int base = 10) {
        char digits[64];
        if constexpr (std::is_floating_point_v<T>) {
            text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
        } else {
            text_.append(digits, std::to_chars(digits, digits + sizeof digits, value, base).ptr);
        }
    }

    /// As it is when it is a word, else in quotes.
    void name(std::string_view name) {
        if (is_plain(name)) {
            text_ += name;
            return;
        }
        text_ += '"';
        for (const char c : name) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                text_ += '\\';
                text_ += c;
            } else if (byte < ' ' || byte == 0x7f) {
                text_ += byte < 16 ? "\\x0" : "\\x";
                number(byte, 16);
            } else {
                text_ += c;
            }
        }
        text_ += '"';
    }

    void element(DType dtype, std::uint64_t bits) {
        visit_dtype(dtype, [&](auto zero) {
            using T = decltype(zero);
            const T value = element_of<T>(bits);
            if constexpr (std::is_same_v<T, bool>) {
                text_ += value ? "true" : "false";
            } else if constexpr (std::is_integral_v<T>) {
                number(value);
            } else {
                using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
                if (std::isnan(static_cast<Wide>(value))) {
                    text_ += "0x";
                    number(bits, 16);
                } else {
                    number(static_cast<Wide>(value));  // "inf" and "-inf" among them
                }
            }
        });
    }

    void immediate(const Node& node) {
        const std::uint64_t value = node.immediate;
        switch (info_of(node.kind).immediate) {
            case Immediate::None: return;
            case Immediate::Bits: return element(node.type.dtype, value);
            case Immediate::Access:
                if (value >= 1 && value <= 3) {
                    text_ += name_of(static_cast<Access>(value));
                    return;
                }
                break;
            case Immediate::Reduction:
                if (value <= static_cast<std::uint64_t>(Reduction::Or)) {
                    text_ += name_of(static_cast<Reduction>(value));
                    return;
                }
                break;
            case Immediate::Count:
            case Immediate::Lane: break;
        }
        number(value);
    }

    void node(NodeId id) {
        text_.append(static_cast<std::size_t>(depth_) * 2, ' ');
        if (id >= kernel_.nodes.size()) {
            text_ += '%';
            number(id);
            text_ += " does not exist\n";
            return;
        }
        const Node& node = kernel_[id];
        const NodeInfo& info = info_of(node.kind);
        if (node.type.is_value()) {
            text_ += '%';
            number(id);
            text_ += ": ";
            Message type;
            type << node.type;
            text_ += type.text();
            text_ += " = ";
        }
        text_ += info.text;
        const char* separator = " ";
        for (std::size_t i = 0; i < node.operand_count && i < node.operands.size(); ++i) {
            text_ += separator;
            text_ += '%';
            number(node.operands[i]);
            separator = ", ";
        }
        if (info.immediate != Immediate::None) {
            text_ += separator;
            immediate(node);
        }
        for (std::size_t i = 0; i < node.blocks.size(); ++i) {
            if (node.blocks[i] == kNoBlock) continue;
            if (i == 1) text_ += std::string(" ") + blocks_of(node.kind).second;
            text_ += " {\n";
            nested_block(node.blocks[i]);
            text_.append(static_cast<std::size_t>(depth_) * 2, ' ');
            text_ += '}';
        }
        text_ += '\n';
    }

    void block(BlockId id) {
        seen_blocks_[id] = true;
        for (const NodeId node_id : kernel_.blocks[id]) node(node_id);
    }

    void nested_block(BlockId id) {
        ++depth_;
        if (id < kernel_.blocks.size() && !seen_blocks_[id] && depth_ <= kMaxDepth + 1) {
            block(id);
        } else {
            text_ += "...\n";
        }
        --depth_;
    }

    const Kernel& kernel_;
    std::vector<bool> seen_blocks_;
    std::string text_;
    int depth_ = 0;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).run(); }

}  // namespace burn::kernel
