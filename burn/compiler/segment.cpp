#include <burn/compiler/segment.h>

#include <burn/base/hash.h>

namespace burn::compiler {

namespace {

void add(Hasher& hasher, const Dims& dims) {
    hasher.add(dims.size());
    for (const std::int64_t value : dims) hasher.add(static_cast<std::uint64_t>(value));
}

bool same(const Layout& a, const Layout& b) { return a.shape == b.shape && a.strides == b.strides; }

}  // namespace

std::uint64_t structural_hash(const Segment& segment) {
    Hasher hasher;
    for (const SegmentValue& value : segment.values) {
        add(hasher, value.spec.shape);
        hasher.add(static_cast<std::uint64_t>(value.spec.dtype) << 2 | static_cast<std::uint64_t>(value.external) << 1 |
                   static_cast<std::uint64_t>(value.live));
        if (value.external) add(hasher, value.layout.strides);
    }
    for (const SegmentOp& op : segment.ops) {
        hasher.add(op.op.structural_hash());
        for (const ValueId input : op.inputs) hasher.add(input);
    }
    return hasher.value();
}

bool same_structure(const Segment& a, const Segment& b) {
    if (a.values.size() != b.values.size() || a.ops.size() != b.ops.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const SegmentValue &x = a.values[i], &y = b.values[i];
        if (x.spec != y.spec || x.external != y.external || x.live != y.live) return false;
        if (x.external && !same(x.layout, y.layout)) return false;
    }
    for (std::size_t i = 0; i < a.ops.size(); ++i) {
        const SegmentOp &x = a.ops[i], &y = b.ops[i];
        if (!(x.inputs == y.inputs) || !(x.outputs == y.outputs) || !x.op.same_structure(y.op)) return false;
    }
    return true;
}

}  // namespace burn::compiler
