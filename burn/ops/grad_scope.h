#pragma once

#include <burn/ops/handle.h>
#include <burn/ops/op_class.h>

namespace burn::ops {

/// What flows back to an operand: its cotangent, or that of a region of it, outside which nothing flows.
struct Cotangent {
    Handle values;       ///< empty: nothing flows
    SliceList region{};  ///< as a canonical slice chooses one; empty: all of the operand
};
using CotangentList = SmallVector<Cotangent, 2>;

/// What a gradient rule sees: the cotangents of the results, what was saved, and a place for the operands' cotangents.
///
/// Handles are those of the inner engine, so a rule is written with the same operations a user has.
class GradScope {
public:
    GradScope(const OpInfo& info, const SpecList& input_specs, const SpecList& output_specs, const HandleList& inputs,
              const HandleList& outputs, HandleList cotangents, std::uint64_t wanted)
        : info_(info), input_specs_(input_specs), output_specs_(output_specs), inputs_(inputs), outputs_(outputs),
          cotangents_(std::move(cotangents)), wanted_(wanted), gradients_(input_specs.size()) {}

    std::size_t input_count() const { return input_specs_.size(); }
    const TensorSpec& input_spec(std::size_t i) const { return input_specs_[operand(i)]; }
    const TensorSpec& output_spec(std::size_t i = 0) const { return output_specs_[result(i)]; }

    /// Operand `i`, which the operation's `saves` must name.
    const Handle& input(std::size_t i) const {
        require_saved(info_.saves.inputs, i, "operand");
        return inputs_[operand(i)];
    }
    /// Result `i`, which the operation's `saves` must name.
    const Handle& output(std::size_t i = 0) const {
        require_saved(info_.saves.outputs, i, "result");
        return outputs_[result(i)];
    }
    /// The cotangent of result `i`; empty when nothing flowed through that result (never for the only result).
    Handle& dy(std::size_t i = 0) { return cotangents_[result(i)]; }

    /// Whether somebody asks for the cotangent of operand `i`; computing others is wasted.
    bool wants(std::size_t i) const { return (wanted_ >> (i < 63 ? i : 63)) & 1; }
    /// Where the rule puts the cotangent of operand `i`. Left empty: nothing flows.
    Handle& dx(std::size_t i) { return gradients_[operand(i)].values; }
    /// The same for a region of operand `i`, which canonical `slices` choose.
    Handle& dx(std::size_t i, SliceList slices) {
        gradients_[operand(i)].region = std::move(slices);
        return gradients_[i].values;
    }
    CotangentList take_gradients() { return std::move(gradients_); }

private:
    void require_saved(std::uint32_t saved, std::size_t i, const char* what) const {
        if (i >= 32 || ((saved >> i) & 1) == 0) {
            raise(fault(), Message() << info_.name << ": its gradient reads " << what << ' ' << i
                                     << ", which its info does not save");
        }
    }

    std::size_t operand(std::size_t i) const { return checked(i, input_specs_.size(), "operand"); }
    std::size_t result(std::size_t i) const { return checked(i, output_specs_.size(), "result"); }
    std::size_t checked(std::size_t i, std::size_t count, const char* what) const {
        if (i < count) return i;
        raise(fault(), Message() << info_.name << ": its gradient asks for " << what << ' ' << i << "; there are "
                                 << count << ", counted from 0");
    }

    /// Whose it is: an operation's rule may be a user's.
    ErrorKind fault() const { return info_.kind == OpKind::Custom ? ErrorKind::Argument : ErrorKind::Internal; }

    const OpInfo& info_;
    const SpecList& input_specs_;
    const SpecList& output_specs_;
    const HandleList& inputs_;
    const HandleList& outputs_;
    HandleList cotangents_;
    std::uint64_t wanted_;
    CotangentList gradients_;
};

}  // namespace burn::ops
