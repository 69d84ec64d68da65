#include <burn/backends/cpu/llvm/workspace.h>

#include <burn/backends/cpu/object_symbols.h>
#include <burn/base/error.h>

#include <bit>

namespace burn::cpu::codegen {

namespace {

constexpr std::uint64_t kAlignment = 64;
/// More than this is not put on the stack, which may be that of a small thread.
constexpr std::uint64_t kMostOnStack = std::uint64_t{32} << 10;

}  // namespace

std::size_t Workspace::reserve(kernel::Type type, std::uint64_t count) {
    // LLVM's vectors in arrays take the next power of two.
    const std::uint64_t bytes = std::bit_ceil(std::uint64_t{type.lanes}) * size_of(type.dtype) * count;
    arrays_.push_back({type, count, bytes_});
    bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return arrays_.size() - 1;
}

void Workspace::create() {
    if (bytes_ > kLimit) {
        raise(ErrorKind::Unsupported, Message() << "its arrays take " << bytes_ << " bytes in all units; at most "
                                                << kLimit << " are possible");
    }
    LLVMValueRef base = nullptr;
    if (bytes_ > kMostOnStack)
        base = ir_.call(kWorkspaceFunction, ir_.pointer(), {ir_.index(static_cast<std::int64_t>(bytes_))});
    for (const Array& array : arrays_) {
        if (base == nullptr) {
            // One by one, so that LLVM knows them apart.
            pointers_.push_back(ir_.allocate(ir_.memory_type(array.type), array.count));
        } else {
            LLVMValueRef offset = ir_.index(static_cast<std::int64_t>(array.offset));
            pointers_.push_back(LLVMBuildGEP2(ir_.builder(), ir_.integer(8), base, &offset, 1, ""));
        }
    }
}

}  // namespace burn::cpu::codegen
