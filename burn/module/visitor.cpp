#include <burn/module/visitor.h>

namespace burn {

void ModuleVisitor::param(const Path&, const AnyParam&) {}
void ModuleVisitor::empty_param(const Path&) {}
void ModuleVisitor::running_state(const Path&, const AnyRunningState&) {}
void ModuleVisitor::tensor(const Path&, const ops::Handle&) {}
void ModuleVisitor::constant(const Path&, const ConstantField&) {}
void ModuleVisitor::enter(const Path&, const char*) {}
void ModuleVisitor::leave(const Path&, const char*) {}

void ModuleMapper::param(const Path&, AnyParam&) {}
void ModuleMapper::empty_param(const Path&) {}
void ModuleMapper::tied_param(const Path&, const AnyParam&) {}
void ModuleMapper::running_state(const Path&, AnyRunningState&) {}
void ModuleMapper::tensor(const Path&, ops::Handle&) {}

void raise_empty_param(const char* op, const Path& path) {
    raise(ErrorKind::Argument, Message() << op << ": the parameter " << path
                                         << " has no value: the module was moved from, or is not initialised");
}

namespace detail {

std::size_t Walk::push(const char* name) {
    const std::size_t size = path_.size();
    path_.push(name);
    return size;
}

std::size_t Walk::push(std::size_t index) {
    const std::size_t size = path_.size();
    path_.push(index);
    return size;
}

void Walk::param(AnyParam& param) {
    if (param.empty()) {
        if (visitor_ != nullptr) {
            visitor_->empty_param(path_);
        } else {
            mapper_->empty_param(path_);
        }
        return;
    }
    if (visitor_ != nullptr) {
        visitor_->param(path_, param);
        return;
    }
    // Tied parameters are known by where their value was before: those places differ, because all of them existed when the
    // walk began.
    const void* identity = param.identity();
    const ParamId id = param.id();
    for (const Changed& changed : shared_) {
        if (changed.identity != identity || changed.id != id) continue;
        param = changed.after;
        mapper_->tied_param(path_, param);
        return;
    }
    const bool unique = param.unique();
    mapper_->param(path_, param);
    if (!unique) shared_.push_back({identity, id, param});
}

void Walk::running_state(AnyRunningState& state) {
    if (visitor_ != nullptr) {
        visitor_->running_state(path_, state);
    } else {
        mapper_->running_state(path_, state);
    }
}

bool Walk::tensor(ops::Handle& tensor) {
    if (!tensor) return false;
    if (visitor_ != nullptr) {
        visitor_->tensor(path_, tensor);
        return false;
    }
    const ops::Handle before = tensor;
    mapper_->tensor(path_, tensor);
    return !tensor.same(before);
}

void Walk::constant(const ConstantField& field) {
    if (visitor_ != nullptr) visitor_->constant(path_, field);
}

void Walk::enter(const char* type) {
    if (visitor_ != nullptr) visitor_->enter(path_, type);
}

void Walk::leave(const char* type) {
    if (visitor_ != nullptr) visitor_->leave(path_, type);
}

}  // namespace detail
}  // namespace burn
