#include <burn/backends/cpu/object_store.h>

#include <cstring>

namespace burn::cpu {

namespace {

/// What a file is about: the target, and everything of the kernel but its name.
class KeyBytes {
public:
    KeyBytes(std::string_view target, const kernel::Kernel& kernel) {
        add(target.size());
        words_.resize(words_.size() + (target.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
        std::memcpy(words_.data() + 1, target.data(), target.size());
        add(kernel.units);
        add(kernel.plane);
        add(kernel.nodes.size());
        for (const kernel::Node& node : kernel.nodes) {
            add(static_cast<std::uint64_t>(node.kind) << 32 | static_cast<std::uint64_t>(node.type.dtype) << 24 |
                std::uint64_t{node.operand_count} << 16 | node.type.lanes);
            for (std::size_t i = 0; i < node.operand_count; ++i) add(node.operands[i]);
            add(node.immediate);
            add(std::uint64_t{node.blocks[0]} << 32 | node.blocks[1]);
        }
        add(kernel.blocks.size());
        for (const auto& block : kernel.blocks) add_all(block);
        add_all(kernel.parameters);
    }

    std::span<const std::byte> get() const { return std::as_bytes(std::span(words_)); }

private:
    void add(std::uint64_t word) { words_.push_back(word); }
    void add_all(const std::vector<kernel::NodeId>& nodes) {
        add(nodes.size());
        for (const kernel::NodeId node : nodes) add(node);
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace

std::string default_kernel_folder() { return compiler::cache_folder("kernels"); }

std::string ObjectStore::path_of(std::string_view target, const kernel::Kernel& kernel) const {
    return cache_.path_of(KeyBytes(target, kernel).get());
}

bool ObjectStore::find(std::string_view target, const kernel::Kernel& kernel, std::vector<std::byte>& object) const {
    return cache_.find(KeyBytes(target, kernel).get(), object);
}

void ObjectStore::keep(std::string_view target, const kernel::Kernel& kernel, std::span<const std::byte> object) {
    cache_.keep(KeyBytes(target, kernel).get(), object);
}

}  // namespace burn::cpu
