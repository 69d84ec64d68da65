#pragma once

#include <burn/base/cpu_features.h>
#include <burn/compiler/device.h>
#include <burn/compiler/failure.h>
#include <burn/compiler/horizontal.h>
#include <burn/compiler/memory_plan.h>
#include <burn/compiler/schedule.h>
#include <burn/ops/engine.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace burn::compiler {

/// A segment's tensors while it runs: those from outside at first, in the end those that outlive it.
struct Bindings {
    std::vector<ops::Handle> tensors;  ///< by value
    std::vector<FailureRef> failures;  ///< by value
    ops::Handle slab;                  ///< where temporaries lie; null where there is no room for it
    /// By operation as recorded: the name of the one that the program called, where that was recorded as its parts; else null.
    /// Errors of parts are told in that name.
    std::span<const char* const> callers;

    void reset(std::size_t values) {
        tensors.clear();
        failures.clear();
        slab = {};
        callers = {};
        tensors.resize(values);
        failures.resize(values);
    }
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

    Plan(Segment segment, const Device& device);

    const Segment& segment() const { return segment_; }
    const std::vector<Step>& steps() const { return steps_; }
    const MemoryPlan& memory() const { return memory_; }
    /// Why the device could not compile a kernel of a step, so that its operations run one by one; empty where it could, or
    /// has not tried.
    std::string why_not_compiled(std::size_t step) const;

    /// Runs every step. `recorded` are the operations of a segment of the plan's structure, with the run-time attributes of this
    /// run.
    ///
    /// A step that fails leaves its error with its results and with all that depends on them; the others run.
    void run(std::span<const ops::AnyOp> recorded, Bindings& bindings, ops::Engine& engine, Device& device);

private:
    /// The operations of a run, as the plan counts them.
    struct RunOps {
        std::span<const ops::AnyOp> recorded;
        const std::vector<std::uint32_t>& order;

        const ops::AnyOp& operator[](std::uint32_t op) const { return recorded[order[op]]; }
    };
    /// A group made ready for inputs of certain layouts.
    struct Prepared {
        Isa isa = Isa::Baseline;  ///< the active one when it was made: a kernel of the processor is for one
        std::vector<Layout> layouts;
        ExecutableRef executable;
        ExecutableRef combine;  ///< the second kernel, where there is one
        Schedule schedule;
    };

    /// What a group brings along to every run.
    struct GroupRun {
        /// By output: the operands whose memory it may take where that turns out to be reusable.
        std::vector<std::vector<ValueId>> donors;
        std::shared_ptr<const Prepared> prepared;
        /// How often the device has refused the group, and in how many runs it is not asked again.
        std::uint32_t refusals = 0, passes = 0;
        std::string not_compiled;  ///< why the device compiled no kernel for it, when it last tried
    };
    /// The parameters of one launch, kept while it runs.
    struct Parameters {
        SmallVector<std::byte*, 16> buffers;
        SmallVector<std::uint64_t, 32> scalars;

        Launch launch(std::int64_t cubes) const {
            return {cubes, {buffers.data(), buffers.size()}, {scalars.data(), scalars.size()}};
        }
    };
    /// What a group's launches take: first the kernel, then the one that combines its parts.
    struct Bound {
        Parameters first, second;
        SmallVector<ops::Handle, 2> parts;
        ops::Handle faults;  ///< where the kernel checks indices
    };

    void find_releases();
    void find_donors();
    MemoryPlan find_places(const Device& device) const;

    /// A new tensor for a value, where it was planned to lie.
    ops::Handle make_tensor(ValueId value, const Bindings& bindings, Device& device) const;

    /// `given_away`: operands that the operation may overwrite.
    void run_alone(std::uint32_t op, std::span<const ValueId> given_away, RunOps ops, Bindings& bindings,
                   ops::Engine& engine) const;
    /// An operation of the plan's own steps.
    void run_operation(const Step& step, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device) const;
    /// An operation and the groups that are its prologue and its epilogue.
    void run_joined(std::size_t index, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device);
    /// The operations of a group one by one, and what these see through.
    void run_apart(const Group& group, RunOps ops, Bindings& bindings, ops::Engine& engine) const;
    void run_apart(std::uint32_t op, RunOps ops, Bindings& bindings, ops::Engine& engine) const;
    /// The operations of a joined step one by one.
    void run_parts(const Step& step, RunOps ops, Bindings& bindings, ops::Engine& engine) const;
    /// Copies inputs that do not lie as the group reads them.
    void make_readable(const Group& group, Bindings& bindings, ops::Engine& engine, Device& device) const;
    void run_groups(std::size_t index, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device);
    /// Null where the device cannot compile the group, for now: it is asked again ever more rarely.
    std::shared_ptr<const Prepared> prepare(const Group& group, GroupRun& run, const Bindings& bindings,
                                            Device& device);
    /// Makes the results of a group, and gathers what its kernels take.
    Bound bind(const Group& group, const GroupRun& run, const Schedule& schedule, RunOps ops, Bindings& bindings,
               Device& device) const;

    Segment segment_;
    std::vector<std::uint32_t> order_;  ///< by operation: where it was recorded
    std::vector<ValueId> first_;        ///< by value: the first one that is computed in the same way
    Segment grouped_;                   ///< the same as its groups compute it
    std::vector<Step> steps_;
    MemoryPlan memory_;
    mutable std::mutex mutex_;
    std::vector<std::vector<GroupRun>> runs_;  ///< by step and group
};

/// The steps of a plan as text, a line each, with what keeps those apart that are no part of another one.
std::string describe(const Plan& plan);

}  // namespace burn::compiler
