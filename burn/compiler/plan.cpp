#include <burn/compiler/plan.h>

#include <burn/ops/create.h>
#include <burn/ops/pointwise.h>

#include <algorithm>

namespace burn::compiler {

Plan::Plan(Segment segment) : segment_(std::move(segment)) {
    for (GroupedStep& step : group_segment(segment_)) steps_.push_back({std::move(step), {}});
    prepared_.resize(steps_.size());

    std::vector<bool> needed_later(segment_.values.size());
    for (ValueId value = 0; value < segment_.values.size(); ++value) needed_later[value] = segment_.values[value].live;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        Step& step = steps_[i];
        const auto see = [&](ValueId value) {
            if (!needed_later[value]) step.releases.push_back(value);
            needed_later[value] = true;
        };
        if (step.grouped.is_group()) {
            for (const ValueId value : step.grouped.group.inputs) see(value);
        } else {
            for (const ValueId value : segment_.ops[step.grouped.op].inputs) see(value);
            for (const ValueId value : segment_.ops[step.grouped.op].outputs) see(value);
        }
    }
}

namespace {

template <class List>
FailureRef failure_of(const List& inputs, const Bindings& bindings) {
    for (const ValueId input : inputs) {
        if (bindings.failures[input]) return bindings.failures[input];
    }
    return nullptr;
}

bool releases(const Plan::Step& step, ValueId value) {
    return std::find(step.releases.begin(), step.releases.end(), value) != step.releases.end();
}

std::uint64_t attribute_bits(const SegmentOp& op, const AttributeRef& attribute) {
    Scalar number;
    if (ops::is_pointwise(op.op.code())) {
        const auto& scalars = *static_cast<const ops::PointwiseAttributes*>(op.op.attributes());
        number = attribute.which == 0 ? scalars.s : scalars.t;
    } else {
        number = op.op.as<ops::Full>().value;
    }
    return number.is_floating() ? kernel::element_bits(attribute.dtype, number.to<double>())
                                : kernel::element_bits(attribute.dtype, number.to<std::int64_t>());
}

}  // namespace

void Plan::run(const Segment& segment, Bindings& bindings, ops::Engine& engine, Device& device) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const bool is_group = step.grouped.is_group();
        FailureRef failure = is_group ? failure_of(step.grouped.group.inputs, bindings)
                                      : failure_of(segment.ops[step.grouped.op].inputs, bindings);
        if (!failure) {
            try {
                if (is_group) {
                    run_group(i, segment, bindings, device);
                } else {
                    run_alone(step, segment, bindings, engine);
                }
            } catch (const Error& error) {
                failure = std::make_shared<const Error>(error);
            } catch (const std::exception& error) {
                failure = std::make_shared<const Error>(ErrorKind::Internal, error.what());
            }
        }
        if (failure) {
            const auto fail = [&](ValueId value) { bindings.failures[value] = failure; };
            if (is_group) {
                for (const ValueId value : step.grouped.group.outputs) fail(value);
            } else {
                for (const ValueId value : segment.ops[step.grouped.op].outputs) fail(value);
            }
        }
        for (const ValueId value : step.releases) bindings.tensors[value] = ops::Handle();
    }
}

void Plan::run_alone(const Step& step, const Segment& segment, Bindings& bindings, ops::Engine& engine) {
    const SegmentOp& op = segment.ops[step.grouped.op];
    ops::HandleList inputs;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const ValueId value = op.inputs[i];
        bool again = false;  // the last mention of an operand may give it away
        for (std::size_t j = i + 1; j < op.inputs.size(); ++j) again = again || op.inputs[j] == value;
        inputs.push_back(!again && releases(step, value) ? std::move(bindings.tensors[value])
                                                         : bindings.tensors[value]);
    }
    SpecList results;
    for (const ValueId output : op.outputs) results.push_back(segment.values[output].spec);
    ops::HandleList outputs = engine.execute(op.op, std::move(inputs), results);
    for (std::size_t i = 0; i < op.outputs.size(); ++i) bindings.tensors[op.outputs[i]] = std::move(outputs[i]);
}

std::shared_ptr<const Plan::Prepared> Plan::prepare(std::size_t index, const Bindings& bindings, Device& device) {
    const Group& group = steps_[index].grouped.group;
    const auto fits = [&](const Prepared& prepared) {
        for (std::size_t i = 0; i < group.inputs.size(); ++i) {
            if (prepared.layouts[i].strides != device.layout(bindings.tensors[group.inputs[i]]).strides) return false;
        }
        return true;
    };
    {
        const std::lock_guard lock(mutex_);
        if (prepared_[index] && fits(*prepared_[index])) return prepared_[index];
    }
    auto prepared = std::make_shared<Prepared>();
    for (const ValueId input : group.inputs) prepared->layouts.push_back(device.layout(bindings.tensors[input]));
    prepared->schedule = schedule(segment_, group, prepared->layouts, device.vector_bytes());
    prepared->executable = &device.compile(prepared->schedule.kernel);
    const std::lock_guard lock(mutex_);
    prepared_[index] = prepared;
    return prepared;
}

void Plan::run_group(std::size_t index, const Segment& segment, Bindings& bindings, Device& device) {
    const Step& step = steps_[index];
    const Group& group = step.grouped.group;
    const std::shared_ptr<const Prepared> prepared = prepare(index, bindings, device);

    SmallVector<std::byte*, 16> buffers;
    for (const ValueId input : group.inputs) buffers.push_back(device.data(bindings.tensors[input]));
    for (const ValueId output : group.outputs) {
        const TensorSpec& spec = segment.values[output].spec;
        // A result may take the place of an operand that nobody needs any more and that is read at the same places.
        const auto donor = std::find_if(group.inputs.begin(), group.inputs.end(), [&](ValueId input) {
            const ops::Handle& tensor = bindings.tensors[input];
            return tensor && tensor.spec() == spec && spec.shape == group.space && releases(step, input) &&
                   device.layout(tensor).is_contiguous() && device.reusable(tensor);
        });
        bindings.tensors[output] =
            donor != group.inputs.end() ? std::move(bindings.tensors[*donor]) : device.make_tensor(spec);
        buffers.push_back(device.data(bindings.tensors[output]));
    }
    SmallVector<std::uint64_t, 32> scalars;
    for (const std::uint64_t size : prepared->schedule.sizes) scalars.push_back(size);
    for (const AttributeRef& attribute : prepared->schedule.attributes)
        scalars.push_back(attribute_bits(segment.ops[attribute.op], attribute));
    if (prepared->schedule.cubes == 0) return;
    device.launch(*prepared->executable,
                  {prepared->schedule.cubes, {buffers.data(), buffers.size()}, {scalars.data(), scalars.size()}});
}

std::string describe(const Plan& plan) {
    std::string text;
    for (const Plan::Step& step : plan.steps()) {
        Message line;
        if (!step.grouped.is_group()) {
            line << "run   " << plan.segment().ops[step.grouped.op].op;
        } else {
            const Group& group = step.grouped.group;
            line << (group.rows ? "rows  " : "fused ") << group.space << ':';
            for (const std::uint32_t op : group.ops) line << ' ' << plan.segment().ops[op].op.name();
            line << "; " << group.inputs.size() << " in, " << group.outputs.size() << " out";
        }
        text += line.text();
        text += '\n';
    }
    return text;
}

}  // namespace burn::compiler
