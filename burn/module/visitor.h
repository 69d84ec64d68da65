#pragma once

#include <burn/module/any_param.h>
#include <burn/module/path.h>
#include <burn/module/running_state.h>

namespace burn {

/// A field that is not part of the state of a module: a size, a rate, a switch. For printing.
struct ConstantField {
    const void* value;
    void (*write)(Message& message, const void* value);  ///< null for types that cannot be written
};

/// Sees everything in a module, in the order of declaration, with its path.
///
/// A parameter that is used in two places is seen twice; the two are `tied_to` each other.
class ModuleVisitor {
public:
    virtual void param(const Path& path, const AnyParam& param);
    /// A parameter that has no value and no way to make one: the module was moved from, or is not initialised.
    virtual void empty_param(const Path& path);
    virtual void running_state(const Path& path, const AnyRunningState& state);
    /// A tensor that is a constant of the module.
    virtual void tensor(const Path& path, const ops::Handle& tensor);
    virtual void constant(const Path& path, const ConstantField& field);
    /// Around the fields of a module, by its name, and the elements of a "list"; not around the module itself.
    virtual void enter(const Path& path, const char* type);
    virtual void leave(const Path& path, const char* type);

protected:
    ~ModuleVisitor() = default;
};

/// The same with the right to change what it sees.
class ModuleMapper {
public:
    virtual void param(const Path& path, AnyParam& param);
    virtual void empty_param(const Path& path);
    /// A parameter tied to one that was changed before: it has been made equal to that one already.
    virtual void tied_param(const Path& path, const AnyParam& param);
    virtual void running_state(const Path& path, AnyRunningState& state);
    virtual void tensor(const Path& path, ops::Handle& tensor);

protected:
    ~ModuleMapper() = default;
};

/// For visitors that need all values.
///
/// Errors    ArgumentError naming the operation and the parameter
[[noreturn]] void raise_empty_param(const char* op, const Path& path);

namespace detail {

/// One walk through a module: keeps the path, keeps tied parameters tied, and tells a visitor or a mapper what it meets.
class Walk {
public:
    explicit Walk(ModuleVisitor& visitor) : visitor_(&visitor) {}
    explicit Walk(ModuleMapper& mapper) : mapper_(&mapper) {}

    std::size_t push(const char* name);
    std::size_t push(std::size_t index);
    void pop(std::size_t size) { path_.cut(size); }

    void param(AnyParam& param);
    void running_state(AnyRunningState& state);
    /// Returns whether the handle was changed.
    bool tensor(ops::Handle& tensor);
    void constant(const ConstantField& field);
    void enter(const char* type);
    void leave(const char* type);

private:
    struct Changed {
        const void* identity;  ///< before the change, as is the id
        ParamId id;
        AnyParam after;
    };

    Path path_;
    ModuleVisitor* visitor_ = nullptr;
    ModuleMapper* mapper_ = nullptr;
    SmallVector<Changed, 2> shared_;
};

}  // namespace detail
}  // namespace burn
