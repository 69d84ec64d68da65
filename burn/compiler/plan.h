#pragma once

#include <burn/compiler/device.h>
#include <burn/compiler/horizontal.h>
#include <burn/compiler/schedule.h>
#include <burn/ops/engine.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace burn::compiler {

/// Why a value is not there: the first error of what it depends on. Null where all is well.
using FailureRef = std::shared_ptr<const Error>;

/// The exception that is being handled, as a failure. Only inside a catch clause.
FailureRef current_failure();

/// A segment's tensors while it runs: those from outside at first, in the end those that outlive it.
struct Bindings {
    std::vector<ops::Handle> tensors;  ///< by value
    std::vector<FailureRef> failures;  ///< by value
};

/// How segments of one structure run: which kernels, in which order, and when tensors can go.
///
/// Thread    `run` may be called from several threads
class Plan {
public:
    /// A step as people see it: what was fused, or which operation runs alone.
    struct Step : PlanStep {
        std::vector<ValueId> releases;  ///< values that nobody needs after this step
    };

    explicit Plan(Segment segment);

    const Segment& segment() const { return segment_; }
    const std::vector<Step>& steps() const { return steps_; }

    /// Runs every step. `segment` is of the plan's structure and gives the run-time attributes.
    ///
    /// A step that fails leaves its error with its results and with all that depends on them; the others run.
    void run(const Segment& segment, Bindings& bindings, ops::Engine& engine, Device& device);

private:
    /// A group made ready for inputs of certain layouts.
    struct Prepared {
        std::vector<Layout> layouts;
        const Executable* executable = nullptr;
        const Executable* combine = nullptr;  ///< the second kernel, where there is one
        Schedule schedule;
    };

    /// `given_away`: operands that the operation may overwrite.
    void run_alone(std::uint32_t op, std::span<const ValueId> given_away, const Segment& segment, Bindings& bindings,
                   ops::Engine& engine);
    /// The operations of a group one by one, and what these see through.
    void run_apart(const Group& group, const Segment& segment, Bindings& bindings, ops::Engine& engine);
    void run_apart(std::uint32_t op, const Segment& segment, Bindings& bindings, ops::Engine& engine);
    /// Copies inputs that do not lie as the group reads them.
    void make_readable(const Group& group, Bindings& bindings, ops::Engine& engine, Device& device) const;
    void run_groups(std::size_t index, const Segment& segment, Bindings& bindings, ops::Engine& engine, Device& device);
    std::shared_ptr<const Prepared> prepare(std::size_t step, std::size_t group, const Bindings& bindings,
                                            Device& device);

    Segment segment_;
    Segment grouped_;  ///< the same as its groups compute it
    std::vector<Step> steps_;
    std::mutex mutex_;
    std::vector<std::vector<std::shared_ptr<const Prepared>>> prepared_;  ///< by step and group
};

/// The steps of a plan as text, a line each.
std::string describe(const Plan& plan);

}  // namespace burn::compiler
