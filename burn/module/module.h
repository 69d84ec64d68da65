#pragma once

#include <burn/module/rebind.h>
#include <burn/module/reflect.h>
#include <burn/module/visitor.h>

/// What every module can do, and BURN_MODULE, which makes a struct one.
///
/// A module is a struct of fields: parameters, running states, other modules, plain tensors (constants, not saved), optionals
/// and sequences of these, and anything else (sizes, switches), which is copied. It must be default-constructible.
///
/// Example   template <burn::Backend B>
///           struct Mlp {
///               burn::nn::Linear<B> inner, outer;
///               burn::nn::Relu relu;
///               BURN_MODULE(Mlp, inner, outer, relu)
///
///               burn::Tensor<B, 2> forward(burn::Tensor<B, 2> x) const { .. }
///           };

namespace burn {

namespace detail {

template <class T>
void write_constant(Message& message, const void* value) {
    const T& constant = *static_cast<const T*>(value);
    if constexpr (requires { message << constant; }) {
        message << constant;
    } else if constexpr (requires { message << name_of(constant); }) {
        message << name_of(constant);
    } else {
        message.append(constant.data(), constant.size());
    }
}

template <class T>
constexpr bool can_write = requires(Message& message, const T& value) { message << value; } ||
                           requires(Message& message, const T& value) { message << name_of(value); } ||
                           requires(Message& message, const T& value) { message.append(value.data(), value.size()); };

template <class T>
void walk_field(Walk& walk, T& field) {
    if constexpr (is_param<T>) {
        walk.param(field);
    } else if constexpr (is_state<T>) {
        walk.running_state(field);
    } else if constexpr (is_tensor<T>) {
        ops::Handle handle = field.handle();
        if (walk.tensor(handle)) field = T(std::move(handle));
    } else if constexpr (Module<T>) {
        walk.enter(T::kModuleName);
        walk_fields(walk, field);
        walk.leave(T::kModuleName);
    } else if constexpr (!is_holder<T>()) {
        if constexpr (can_write<T>) {
            walk.constant({&field, write_constant<T>});
        } else {
            walk.constant({&field, nullptr});
        }
    } else if constexpr (is_optional<T>) {
        if (field.has_value()) walk_field(walk, *field);
    } else {
        walk.enter("list");
        for (std::size_t i = 0; i < field.size(); ++i) {
            const std::size_t size = walk.push(i);
            walk_field(walk, field[i]);
            walk.pop(size);
        }
        walk.leave("list");
    }
}

template <class M>
void walk_fields(Walk& walk, M& module) {
    for_each_field(module, [&walk](const char* name, auto& field) {
        const std::size_t size = walk.push(name);
        walk_field(walk, field);
        walk.pop(size);
    });
}

}  // namespace detail

/// Shows everything in `module` to the visitor.
template <Module M>
void visit_module(const M& module, ModuleVisitor& visitor) {
    detail::Walk walk(visitor);
    detail::walk_fields(walk, const_cast<M&>(module));  // a visitor changes nothing
}

/// Lets the mapper change the parameters, states and tensors of `module`.
template <Module M>
M map_module(M module, ModuleMapper& mapper) {
    detail::Walk walk(mapper);
    detail::walk_fields(walk, module);
    return module;
}

namespace detail {

/// Counts the elements of parameters, tied ones once.
class ParamCounter final : public ModuleVisitor {
public:
    void param(const Path& path, const AnyParam& param) override;
    std::int64_t count() const { return count_; }

private:
    SmallVector<AnyParam, 8> shared_;
    std::int64_t count_ = 0;
};

class GradientSwitch final : public ModuleMapper {
public:
    explicit GradientSwitch(bool wanted) : wanted_(wanted) {}
    void param(const Path& path, AnyParam& param) override;

private:
    bool wanted_;
};

class DeviceChange final : public ModuleMapper {
public:
    explicit DeviceChange(ops::Engine& engine) : engine_(engine) {}
    void param(const Path& path, AnyParam& param) override;
    void running_state(const Path& path, AnyRunningState& state) override;
    void tensor(const Path& path, ops::Handle& tensor) override;

private:
    ops::Engine& engine_;
};

}  // namespace detail

/// The number of elements of all parameters; tied parameters count once. Makes no values.
template <Module M>
std::int64_t num_params(const M& module) {
    detail::ParamCounter counter;
    visit_module(module, counter);
    return counter.count();
}

/// The module with parameters that require no gradient.
template <Module M>
M no_grad(M module) {
    detail::GradientSwitch mapper(false);
    return map_module(std::move(module), mapper);
}

/// The module with its parameters, states and tensors on another device; parameters keep their ids.
template <Module M, Backend B>
M to_device(M module, const Device<B>& device) {
    detail::DeviceChange mapper(device.engine());
    return map_module(std::move(module), mapper);
}

/// The module for inference: M<Autodiff<B>, ..> becomes M<B, ..>, with the same values, ids and ties. A module without a
/// backend is its own.
template <Module M>
auto valid(const M& module) {
    typename detail::ValidModule<M>::type inner;
    detail::convert_field<detail::Direction::Inner>(module, inner);
    return inner;
}

/// The module for training: M<B, ..> becomes M<Autodiff<B>, ..>, with the same values and ids.
template <Module M>
auto train(const M& module) {
    typename detail::TrainModule<M>::type outer;
    detail::convert_field<detail::Direction::Outer>(module, outer);
    return outer;
}

}  // namespace burn

/// Makes a struct a module: BURN_MODULE(Name, fields...). Stands inside the struct, after its fields.
#define BURN_MODULE(NAME, ...)                                                                                      \
    [[maybe_unused]] static constexpr const char* kModuleName = #NAME;                                              \
    template <class BurnSelf, class BurnOther, class BurnVisit>                                                     \
    static constexpr void burn_fields([[maybe_unused]] BurnSelf& burn_self, [[maybe_unused]] BurnOther& burn_other, \
                                      [[maybe_unused]] BurnVisit&& burn_visit){                                     \
        BURN_FOR_EACH(BURN_MODULE_FIELD, __VA_ARGS__)} std::int64_t num_params() const {                            \
        return ::burn::num_params(*this);                                                                           \
    }                                                                                                               \
    auto valid() const { return ::burn::valid(*this); }                                                             \
    auto train() const { return ::burn::train(*this); }                                                             \
    NAME no_grad() const { return ::burn::no_grad(*this); }                                                         \
    template <class BurnBackend>                                                                                    \
    NAME to_device(const ::burn::Device<BurnBackend>& device) const {                                               \
        return ::burn::to_device(*this, device);                                                                    \
    }                                                                                                               \
    void visit(::burn::ModuleVisitor& visitor) const { ::burn::visit_module(*this, visitor); }                      \
    NAME map(::burn::ModuleMapper& mapper) const { return ::burn::map_module(*this, mapper); }
