#include <burn/ops/all_ops.h>

namespace burn::ops {

namespace {

template <class... Ops>
void visit_all(OpList<Ops...>, void (*visit)(const OpClass&, void*), void* context) {
    (visit(class_of<Ops>(), context), ...);
}

}  // namespace

void for_each_op_class(void (*visit)(const OpClass&, void* context), void* context) {
    visit_all(AllOps{}, visit, context);
}

}  // namespace burn::ops
