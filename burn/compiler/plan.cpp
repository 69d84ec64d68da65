#include <burn/compiler/plan.h>

#include <burn/compiler/describe.h>
#include <burn/compiler/random_words.h>
#include <burn/compiler/readings.h>
#include <burn/ops/create.h>
#include <burn/ops/movement.h>
#include <burn/ops/pointwise.h>

#include <algorithm>

namespace burn::compiler {

FailureRef current_failure() {
    try {
        throw;
    } catch (const Error& error) {
        return std::make_shared<const Error>(error);
    } catch (const std::exception& error) {
        return std::make_shared<const Error>(ErrorKind::Internal, error.what());
    }
}

namespace {

std::vector<ValueId> inputs_of(const PlanStep& step, const Segment& segment) {
    if (!step.is_fused()) return {segment.ops[step.op].inputs.begin(), segment.ops[step.op].inputs.end()};
    std::vector<ValueId> inputs;
    for (const Group& group : step.groups) inputs.insert(inputs.end(), group.inputs.begin(), group.inputs.end());
    return inputs;
}

}  // namespace

Plan::Plan(Segment segment) : segment_(std::move(segment)) {
    GroupedSegment grouped = group_segment(segment_);
    grouped_ = std::move(grouped.segment);
    for (PlanStep& step : join_alike(grouped_, std::move(grouped.steps))) steps_.push_back({std::move(step), {}});
    for (const Step& step : steps_) prepared_.emplace_back(step.groups.size());

    std::vector<bool> needed_later(segment_.values.size());
    for (ValueId value = 0; value < segment_.values.size(); ++value) needed_later[value] = segment_.values[value].live;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        Step& step = steps_[i];
        const auto see = [&](ValueId value) {
            if (!needed_later[value]) step.releases.push_back(value);
            needed_later[value] = true;
        };
        for (const ValueId value : inputs_of(step, segment_)) see(value);
        if (!step.is_fused()) {
            for (const ValueId value : segment_.ops[step.op].outputs) see(value);
        }
    }
}

namespace {

bool contains(std::span<const ValueId> values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

std::uint64_t attribute_bits(const SegmentOp& op, const AttributeRef& attribute) {
    Scalar number;
    if (op.op.code() == ops::OpCode::Random) return random_parameter(op.op.as<ops::Random>(), attribute.which);
    if (ops::is_pointwise(op.op.code())) {
        const auto& scalars = *static_cast<const ops::PointwiseAttributes*>(op.op.attributes());
        number = attribute.which == 0 ? scalars.s : scalars.t;
    } else {
        number = op.op.as<ops::Full>().value;
    }
    return number.is_floating() ? kernel::element_bits(attribute.dtype, number.to<double>())
                                : kernel::element_bits(attribute.dtype, number.to<std::int64_t>());
}

/// Runs `body`, which makes `outputs` of `inputs`, unless one of these failed. An error stays with the outputs.
template <class Inputs, class Outputs, class Body>
void attempt(Bindings& bindings, const Inputs& inputs, const Outputs& outputs, Body body) {
    FailureRef failure;
    for (const ValueId input : inputs) {
        if (!failure) failure = bindings.failures[input];
    }
    if (!failure) {
        try {
            body();
            return;
        } catch (...) {
            failure = current_failure();
        }
    }
    for (const ValueId output : outputs) bindings.failures[output] = failure;
}

}  // namespace

void Plan::run(const Segment& segment, Bindings& bindings, ops::Engine& engine, Device& device) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (step.is_fused()) {
            run_groups(i, segment, bindings, engine, device);
        } else {
            const SegmentOp& op = segment.ops[step.op];
            attempt(bindings, op.inputs, op.outputs,
                    [&] { run_alone(step.op, step.releases, segment, bindings, engine); });
        }
        for (const ValueId value : step.releases) bindings.tensors[value] = ops::Handle();
    }
}

void Plan::run_alone(std::uint32_t index, std::span<const ValueId> given_away, const Segment& segment,
                     Bindings& bindings, ops::Engine& engine) {
    const SegmentOp& op = segment.ops[index];
    ops::HandleList inputs;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const ValueId value = op.inputs[i];
        bool again = false;  // the last mention of an operand may give it away
        for (std::size_t j = i + 1; j < op.inputs.size(); ++j) again = again || op.inputs[j] == value;
        inputs.push_back(!again && contains(given_away, value) ? std::move(bindings.tensors[value])
                                                               : bindings.tensors[value]);
    }
    SpecList results;
    for (const ValueId output : op.outputs) results.push_back(segment.values[output].spec);
    ops::HandleList outputs = engine.execute(op.op, std::move(inputs), results);
    for (std::size_t i = 0; i < op.outputs.size(); ++i) bindings.tensors[op.outputs[i]] = std::move(outputs[i]);
}

std::shared_ptr<const Plan::Prepared> Plan::prepare(std::size_t step, std::size_t index, const Bindings& bindings,
                                                    Device& device) {
    const Group& group = steps_[step].groups[index];
    std::shared_ptr<const Prepared>& place = prepared_[step][index];
    const auto fits = [&](const Prepared& prepared) {
        for (std::size_t i = 0; i < group.inputs.size(); ++i) {
            if (prepared.layouts[i].strides != device.layout(bindings.tensors[group.inputs[i]]).strides) return false;
        }
        return true;
    };
    {
        const std::lock_guard lock(mutex_);
        if (place && fits(*place)) return place;
    }
    auto prepared = std::make_shared<Prepared>();
    for (const ValueId input : group.inputs) prepared->layouts.push_back(device.layout(bindings.tensors[input]));
    prepared->schedule = schedule(grouped_, group, prepared->layouts, device.vector_bytes());
    prepared->executable = &device.compile(prepared->schedule.kernel);
    if (!prepared->schedule.parts.empty()) prepared->combine = &device.compile(prepared->schedule.combine);
    // Compiled: launches do not need them, and plans are kept for long.
    prepared->schedule.kernel = prepared->schedule.combine = {};
    const std::lock_guard lock(mutex_);
    place = prepared;
    return prepared;
}

namespace {

/// The parameters of one launch, kept while it runs.
struct Parameters {
    SmallVector<std::byte*, 16> buffers;
    SmallVector<std::uint64_t, 32> scalars;
};

/// Whether only one group of the step reads the value.
bool read_once(const Plan::Step& step, ValueId value) {
    return std::count_if(step.groups.begin(), step.groups.end(),
                         [&](const Group& group) { return contains(group.inputs, value); }) == 1;
}

/// What a group's launches take: first the kernel, then the one that combines its parts.
struct Bound {
    Parameters first, second;
    SmallVector<ops::Handle, 2> parts;
    ops::Handle faults;  ///< where the kernel checks indices
};

/// Makes the results of a group, and gathers what its kernels take. `grouped`: the segment as groups compute it.
Bound bind(const Plan::Step& step, const Group& group, const Schedule& schedule, const Segment& segment,
           const Segment& grouped, Bindings& bindings, Device& device) {
    Bound bound;
    for (const ValueId input : group.inputs) bound.first.buffers.push_back(device.data(bindings.tensors[input]));
    for (const TensorSpec& spec : schedule.parts) {
        bound.parts.push_back(device.make_tensor(spec));
        bound.second.buffers.push_back(device.data(bound.parts.back()));
    }
    const std::size_t first_parted = group.outputs.size() - schedule.parts.size();
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
        const ValueId output = group.outputs[i];
        const TensorSpec& spec = segment.values[output].spec;
        // A result may take the place of an operand that nobody needs any more and that is read at the same places.
        std::size_t donor = 0;
        const auto gives_its_place = [&](std::size_t j) {
            if (schedule.checks) return false;  // where an index is wrong, the operands are needed again
            const ValueId input = group.inputs[j];
            const ops::Handle& tensor = bindings.tensors[input];
            return tensor && tensor.spec() == spec && grouped.values[output].spec.shape == group.space &&
                   grouped.values[group.names[j]].spec.shape == group.space && read_once(step, input) &&
                   contains(step.releases, input) && device.layout(tensor).is_contiguous() && device.reusable(tensor);
        };
        while (donor < group.inputs.size() && !gives_its_place(donor)) ++donor;
        bindings.tensors[output] =
            donor < group.inputs.size() ? std::move(bindings.tensors[group.inputs[donor]]) : device.make_tensor(spec);
        std::byte* data = device.data(bindings.tensors[output]);
        if (i < first_parted) {
            bound.first.buffers.push_back(data);
        } else {
            bound.first.buffers.push_back(device.data(bound.parts[i - first_parted]));
            bound.second.buffers.push_back(data);
        }
    }
    if (schedule.checks) {
        bound.faults = device.make_tensor({Shape{schedule.cubes}, DType::Bool});
        bound.first.buffers.push_back(device.data(bound.faults));
    }
    for (const std::uint64_t size : schedule.sizes) bound.first.scalars.push_back(size);
    for (const AttributeRef& attribute : schedule.attributes)
        bound.first.scalars.push_back(attribute_bits(segment.ops[attribute.op], attribute));
    for (const std::uint64_t size : schedule.combine_sizes) bound.second.scalars.push_back(size);
    return bound;
}

/// Whether a kernel found an index beyond its row.
bool found_fault(const ops::Handle& faults, ops::Engine& engine) {
    const TensorData found = engine.read(faults).wait();
    const auto flags = found.values<bool>();
    return std::find(flags.begin(), flags.end(), true) != flags.end();
}

Launch launch_of(std::int64_t cubes, const Parameters& parameters) {
    return {cubes,
            {parameters.buffers.data(), parameters.buffers.size()},
            {parameters.scalars.data(), parameters.scalars.size()}};
}

}  // namespace

void Plan::run_apart(std::uint32_t index, const Segment& segment, Bindings& bindings, ops::Engine& engine) {
    const SegmentOp& op = segment.ops[index];
    for (const ValueId input : op.inputs) {
        if (bindings.tensors[input] || bindings.failures[input]) continue;
        // A view that the group looks through, or a number that it writes for itself.
        std::uint32_t maker = index;
        while (maker-- > 0 &&
               !contains({segment.ops[maker].outputs.data(), segment.ops[maker].outputs.size()}, input)) {
        }
        run_apart(maker, segment, bindings, engine);
    }
    attempt(bindings, op.inputs, op.outputs, [&] { run_alone(index, {}, segment, bindings, engine); });
}

void Plan::run_apart(const Group& group, const Segment& segment, Bindings& bindings, ops::Engine& engine) {
    for (const std::uint32_t index : group.ops) run_apart(index, segment, bindings, engine);
}

void Plan::make_readable(const Group& group, Bindings& bindings, ops::Engine& engine, Device& device) const {
    for (std::size_t i = 0; i < group.inputs.size(); ++i) {
        ops::Handle& tensor = bindings.tensors[group.inputs[i]];
        if (group.names[i] == group.inputs[i] ||
            can_be_read_as(device.layout(tensor), grouped_.values[group.names[i]].spec.shape))
            continue;
        const TensorSpec spec = tensor.spec();
        const TensorSpec flat{Shape{spec.shape.numel()}, spec.dtype};
        ops::Handle packed = std::move(engine.execute(ops::Reshape{flat.shape}, ops::list_of(tensor), {flat})[0]);
        tensor = std::move(engine.execute(ops::Reshape{spec.shape}, ops::list_of(std::move(packed)), {spec})[0]);
    }
}

void Plan::run_groups(std::size_t index, const Segment& segment, Bindings& bindings, ops::Engine& engine,
                      Device& device) {
    const Step& step = steps_[index];
    struct Ready {
        const Group* group;
        std::shared_ptr<const Prepared> prepared;
        Bound bound;
    };
    // Groups side by side have nothing to do with each other: one that cannot run keeps its error to itself.
    std::vector<Ready> ready;
    for (std::size_t i = 0; i < step.groups.size(); ++i) {
        const Group& group = step.groups[i];
        if (std::any_of(group.inputs.begin(), group.inputs.end(),
                        [&](ValueId input) { return bindings.failures[input] != nullptr; })) {
            run_apart(group, segment, bindings, engine);  // some results may do without what failed
            continue;
        }
        attempt(bindings, group.inputs, group.outputs, [&] {
            make_readable(group, bindings, engine, device);
            std::shared_ptr<const Prepared> prepared = prepare(index, i, bindings, device);
            Bound bound = bind(step, group, prepared->schedule, segment, grouped_, bindings, device);
            if (prepared->schedule.cubes > 0) ready.push_back({&group, std::move(prepared), std::move(bound)});
        });
    }
    // Groups that share a kernel are one launch.
    std::vector<bool> done(ready.size(), false);
    for (std::size_t i = 0; i < ready.size(); ++i) {
        if (done[i]) continue;
        std::vector<Launch> launches, combining;
        std::vector<ValueId> outputs;
        profile::Cost cost;
        for (std::size_t j = i; j < ready.size(); ++j) {
            const Prepared& mine = *ready[j].prepared;
            if (done[j] || mine.executable != ready[i].prepared->executable) continue;
            done[j] = true;
            if (profile::on()) cost += cost_of(*ready[j].group, segment);
            outputs.insert(outputs.end(), ready[j].group->outputs.begin(), ready[j].group->outputs.end());
            launches.push_back(launch_of(mine.schedule.cubes, ready[j].bound.first));
            if (mine.combine != nullptr)
                combining.push_back(launch_of(mine.schedule.combine_cubes, ready[j].bound.second));
        }
        attempt(bindings, std::vector<ValueId>(), outputs, [&] {
            profile::Span span;
            if (profile::on()) span.begin(profile::Kind::Kernel, describe(step, segment).text(), cost);
            device.launch(*ready[i].prepared->executable, launches);
            if (!combining.empty()) device.launch(*ready[i].prepared->combine, combining);
        });
    }
    for (const Ready& each : ready) {
        if (each.bound.faults && found_fault(each.bound.faults, engine))
            run_apart(*each.group, segment, bindings, engine);
    }
}

std::string describe(const Plan& plan) {
    std::string text;
    for (const Plan::Step& step : plan.steps()) {
        text += describe(step, plan.segment()).text();
        text += '\n';
    }
    return text;
}

}  // namespace burn::compiler
