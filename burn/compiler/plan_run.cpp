// The running half of a plan.
#include <burn/compiler/plan.h>

#include <burn/compiler/describe.h>
#include <burn/compiler/random_words.h>
#include <burn/compiler/readings.h>
#include <burn/ops/cost.h>
#include <burn/ops/create.h>
#include <burn/ops/memory_error.h>
#include <burn/ops/movement.h>
#include <burn/ops/pointwise.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace burn::compiler {

namespace {

/// A group that the device has refused so often waits no longer than before until it is asked again: 1,023 runs.
constexpr std::uint32_t kMostRefusals = 10;

bool contains(std::span<const ValueId> values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

std::uint64_t attribute_bits(const ops::AnyOp& op, const AttributeRef& attribute) {
    Scalar number;
    if (op.code() == ops::OpCode::Random) return random_parameter(op.as<ops::Random>(), attribute.which);
    if (ops::is_pointwise(op.code())) {
        const auto& scalars = *static_cast<const ops::PointwiseAttributes*>(op.attributes());
        number = attribute.which == 0 ? scalars.s : scalars.t;
    } else {
        number = op.as<ops::Full>().value;
        // Also where a half type is computed with in a wider one.
        visit_dtype(op.as<ops::Full>().dtype, [&number]<class T>(T) {
            if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
                number = static_cast<float>(number.to<T>());
        });
    }
    return kernel::element_bits(attribute.dtype, number);
}

/// The memory that a plan's temporaries share; null where there is not so much in one piece.
ops::Handle make_slab(std::uint64_t bytes, Device& device) {
    try {
        return device.make_tensor({Shape{static_cast<std::int64_t>(bytes)}, DType::U8});
    } catch (const Error&) {
        return {};
    }
}

/// Runs `body`, which executes `part`; an error is told as one of `caller`, where there is one.
template <class Body>
ops::HandleList in_name_of(const char* caller, std::string_view part, Body body) {
    if (caller == nullptr) return body();
    try {
        return body();
    } catch (const Error& error) {
        const std::string_view text = error.what();
        if (!text.starts_with(part) || !text.substr(part.size()).starts_with(": ")) throw;
        raise(error.kind(), Message() << caller << text.substr(part.size()).data());
    }
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

/// `body`, which is a part of a fused step; its OutOfMemoryErrors tell of which.
template <class Body>
auto part_of(const PlanStep& step, const Segment& segment, Body body) {
    return [&step, &segment, body] { with_memory_errors_of([&] { return describe(step, segment); }, body); };
}

}  // namespace

void Plan::run(std::span<const ops::AnyOp> recorded, Bindings& bindings, ops::Engine& engine, Device& device) {
    const RunOps ops{recorded, order_};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (memory_.bytes > 0 && i == memory_.first) bindings.slab = make_slab(memory_.bytes, device);
        if (step.is_joined()) {
            run_joined(i, ops, bindings, engine, device);
        } else if (step.is_fused()) {
            run_groups(i, ops, bindings, engine, device);
        } else {
            const SegmentOp& op = segment_.ops[step.op];
            attempt(bindings, op.inputs, op.outputs, [&] { run_operation(step, ops, bindings, engine, device); });
        }
        for (const ValueId value : step.releases) bindings.tensors[value] = ops::Handle();
        if (i == memory_.last) bindings.slab = {};
    }
}

ops::Handle Plan::make_tensor(ValueId value, const Bindings& bindings, Device& device) const {
    const TensorSpec& spec = segment_.values[value].spec;
    return bindings.slab && memory_.in_slab(value) ? device.make_tensor_in(bindings.slab, memory_.places[value], spec)
                                                   : device.make_tensor(spec);
}

void Plan::run_operation(const Step& step, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device) const {
    const SegmentOp& op = segment_.ops[step.op];
    const ops::AnyOp& now = ops[step.op];
    if (!memory_.in_slab(op.outputs[0]) || !device.runs_into(now))
        return run_alone(step.op, step.releases, ops, bindings, engine);
    ops::HandleList inputs;
    for (const ValueId input : op.inputs) inputs.push_back(bindings.tensors[input]);
    ops::with_memory_errors_of(now, {segment_.values[op.outputs[0]].spec}, [&] {
        ops::Handle result = make_tensor(op.outputs[0], bindings, device);
        profile::Span span;
        if (profile::on()) ops::begin(span, profile::Kind::Operation, now, inputs, {result.spec()});
        device.run_into(now, std::move(inputs), result, {});
        bindings.tensors[op.outputs[0]] = std::move(result);
    });
}

void Plan::run_alone(std::uint32_t index, std::span<const ValueId> given_away, RunOps ops, Bindings& bindings,
                     ops::Engine& engine) const {
    const SegmentOp& op = segment_.ops[index];
    ops::HandleList inputs;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const ValueId value = op.inputs[i];
        bool again = false;  // the last mention of an operand may give it away
        for (std::size_t j = i + 1; j < op.inputs.size(); ++j) again = again || op.inputs[j] == value;
        inputs.push_back(!again && contains(given_away, value) ? std::move(bindings.tensors[value])
                                                               : bindings.tensors[value]);
    }
    SpecList results;
    for (const ValueId output : op.outputs) results.push_back(segment_.values[output].spec);
    ops::HandleList outputs = in_name_of(bindings.callers[order_[index]], ops[index].name(),
                                         [&] { return engine.execute(ops[index], std::move(inputs), results); });
    for (std::size_t i = 0; i < op.outputs.size(); ++i) bindings.tensors[op.outputs[i]] = std::move(outputs[i]);
}

void Plan::run_apart(std::uint32_t index, RunOps ops, Bindings& bindings, ops::Engine& engine) const {
    const SegmentOp& op = segment_.ops[index];
    for (const ValueId input : op.inputs) {
        if (bindings.tensors[input] || bindings.failures[input]) continue;
        if (const ValueId first = first_[input]; bindings.tensors[first] || bindings.failures[first]) {
            bindings.tensors[input] = bindings.tensors[first];
            bindings.failures[input] = bindings.failures[first];
            continue;
        }
        // A view that the group looks through, or a number that it writes for itself.
        std::uint32_t maker = index;
        while (maker-- > 0 &&
               !contains({segment_.ops[maker].outputs.data(), segment_.ops[maker].outputs.size()}, input)) {
        }
        run_apart(maker, ops, bindings, engine);
    }
    attempt(bindings, op.inputs, op.outputs, [&] { run_alone(index, {}, ops, bindings, engine); });
}

void Plan::run_apart(const Group& group, RunOps ops, Bindings& bindings, ops::Engine& engine) const {
    for (const std::uint32_t index : group.ops) run_apart(index, ops, bindings, engine);
}

void Plan::run_parts(const Step& step, RunOps ops, Bindings& bindings, ops::Engine& engine) const {
    const SegmentOp& op = segment_.ops[step.op];
    if (const Group* before = step.prologue()) run_apart(*before, ops, bindings, engine);
    attempt(bindings, op.inputs, op.outputs, [&] { run_alone(step.op, {}, ops, bindings, engine); });
    if (const Group* after = step.epilogue()) run_apart(*after, ops, bindings, engine);
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

std::shared_ptr<const Plan::Prepared> Plan::prepare(const Group& group, GroupRun& run, const Bindings& bindings,
                                                    Device& device) {
    const Isa isa = active_isa();
    const auto fits = [&](const Prepared& prepared) {
        if (prepared.isa != isa) return false;
        for (std::size_t i = 0; i < group.inputs.size(); ++i) {
            if (prepared.layouts[i].strides != device.layout(bindings.tensors[group.inputs[i]]).strides) return false;
        }
        return true;
    };
    {
        const std::lock_guard lock(mutex_);
        if (run.prepared && fits(*run.prepared)) return run.prepared;
        if (run.passes > 0) {
            --run.passes;
            return nullptr;
        }
    }
    auto prepared = std::make_shared<Prepared>();
    prepared->isa = isa;
    for (const ValueId input : group.inputs) prepared->layouts.push_back(device.layout(bindings.tensors[input]));
    prepared->schedule = schedule(grouped_, group, prepared->layouts, device.vector_bytes());
    try {
        prepared->executable = device.compile(prepared->schedule.kernel);
        if (!prepared->schedule.parts.empty()) prepared->combine = device.compile(prepared->schedule.combine);
    } catch (const UnsupportedError& error) {
        const std::lock_guard lock(mutex_);
        run.not_compiled = error.what();
        run.refusals = std::min(run.refusals + 1, kMostRefusals);
        run.passes = (1u << run.refusals) - 1;
        return nullptr;
    }
    // Compiled: launches do not need them, and plans are kept for long.
    prepared->schedule.kernel = prepared->schedule.combine = {};
    const std::lock_guard lock(mutex_);
    run.not_compiled.clear();
    run.prepared = prepared;
    return prepared;
}

Plan::Bound Plan::bind(const Group& group, const GroupRun& run, const Schedule& schedule, RunOps ops,
                       Bindings& bindings, Device& device) const {
    Bound bound;
    for (const ValueId input : group.inputs) bound.first.buffers.push_back(device.data(bindings.tensors[input]));
    for (const TensorSpec& spec : schedule.parts) {
        bound.parts.push_back(device.make_tensor(spec));
        bound.second.buffers.push_back(device.data(bound.parts.back()));
    }
    const std::size_t first_parted = group.outputs.size() - schedule.parts.size();
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
        if (group.feeds_product) {  // the device has some rows of it at a time
            bound.first.buffers.push_back(nullptr);
            continue;
        }
        const auto& donors = run.donors[i];
        const auto donor = std::find_if(donors.begin(), donors.end(), [&](ValueId input) {
            const ops::Handle& tensor = bindings.tensors[input];
            return tensor && device.layout(tensor).is_contiguous() && device.reusable(tensor);
        });
        ops::Handle& output = bindings.tensors[group.outputs[i]];
        output = donor != donors.end() ? std::move(bindings.tensors[*donor])
                                       : make_tensor(group.outputs[i], bindings, device);
        std::byte* data = device.data(output);
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
        bound.first.scalars.push_back(attribute_bits(ops[attribute.op], attribute));
    for (const std::uint64_t size : schedule.combine_sizes) bound.second.scalars.push_back(size);
    return bound;
}

namespace {

/// Whether a kernel found an index beyond its row.
bool found_fault(const ops::Handle& faults, ops::Engine& engine) {
    const TensorData found = engine.read(faults).wait();
    const auto flags = found.values<bool>();
    return std::find(flags.begin(), flags.end(), true) != flags.end();
}

}  // namespace

void Plan::run_groups(std::size_t index, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device) {
    const Step& step = steps_[index];
    struct Ready {
        const Group* group;
        std::shared_ptr<const Prepared> prepared;
        Bound bound;
        bool done = false;
    };
    // Groups side by side have nothing to do with each other: one that cannot run keeps its error to itself.
    SmallVector<Ready, 1> ready;
    ready.reserve(step.groups.size());
    for (std::size_t i = 0; i < step.groups.size(); ++i) {
        const Group& group = step.groups[i];
        if (std::any_of(group.inputs.begin(), group.inputs.end(),
                        [&](ValueId input) { return bindings.failures[input] != nullptr; })) {
            run_apart(group, ops, bindings, engine);  // some results may do without what failed
            continue;
        }
        const auto make_ready = [&] {
            make_readable(group, bindings, engine, device);
            std::shared_ptr<const Prepared> prepared = prepare(group, runs_[index][i], bindings, device);
            if (!prepared) return run_apart(group, ops, bindings, engine);
            Bound bound = bind(group, runs_[index][i], prepared->schedule, ops, bindings, device);
            if (prepared->schedule.cubes > 0) ready.push_back({&group, std::move(prepared), std::move(bound)});
        };
        attempt(bindings, group.inputs, group.outputs, part_of(step, segment_, make_ready));
    }
    // Groups that share a kernel are one launch.
    for (Ready& first : ready) {
        if (first.done) continue;
        SmallVector<Launch, 1> launches, combining;
        SmallVector<ValueId, 4> outputs;
        profile::Cost cost;
        for (Ready* next = &first; next != ready.end(); ++next) {
            const Prepared& mine = *next->prepared;
            if (next->done || mine.executable != first.prepared->executable) continue;
            next->done = true;
            if (profile::on()) cost += cost_of(*next->group, segment_);
            for (const ValueId output : next->group->outputs) outputs.push_back(output);
            launches.push_back(next->bound.first.launch(mine.schedule.cubes));
            if (mine.combine != nullptr) combining.push_back(next->bound.second.launch(mine.schedule.combine_cubes));
        }
        const auto launch = [&] {
            profile::Span span;
            if (profile::on()) span.begin(profile::Kind::Kernel, describe(step, segment_).text(), cost);
            device.launch(*first.prepared->executable, {launches.data(), launches.size()});
            if (!combining.empty()) device.launch(*first.prepared->combine, {combining.data(), combining.size()});
        };
        attempt(bindings, std::span<const ValueId>(), outputs, part_of(step, segment_, launch));
    }
    for (const Ready& each : ready) {
        if (each.bound.faults && found_fault(each.bound.faults, engine)) run_apart(*each.group, ops, bindings, engine);
    }
}

void Plan::run_joined(std::size_t index, RunOps ops, Bindings& bindings, ops::Engine& engine, Device& device) {
    const Step& step = steps_[index];
    const Group *before = step.prologue(), *after = step.epilogue();
    const SegmentOp& op = segment_.ops[step.op];
    const ValueId product = op.outputs[0];
    const auto failed = [&](ValueId value) { return bindings.failures[value] != nullptr; };
    if (std::any_of(op.inputs.begin(), op.inputs.end(), failed) ||
        std::any_of(step.groups.begin(), step.groups.end(), [&](const Group& group) {
            return std::any_of(group.inputs.begin(), group.inputs.end(), failed);
        })) {
        return run_parts(step, ops, bindings, engine);  // some results may do without what failed
    }
    ops::Handle faults;
    bool compiled = true;
    SmallVector<ValueId, 4> results;
    if (after != nullptr) {
        for (const ValueId output : after->outputs) results.push_back(output);
    }
    results.push_back(product);
    const auto run_step = [&] {
        // Held from here on, so that no result of a group takes their place: the operation reads them when rows are written.
        ops::HandleList inputs;
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            inputs.push_back(i == 0 && before != nullptr ? ops::Handle() : bindings.tensors[op.inputs[i]]);
        bindings.tensors[product] = make_tensor(product, bindings, device);
        const std::byte* place = device.data(bindings.tensors[product]);
        struct Ready {
            std::shared_ptr<const Prepared> prepared;
            Bound bound;
            RowKernel kernel;
        };
        const auto prepare_group = [&](const Group& group, GroupRun& run) {
            make_readable(group, bindings, engine, device);
            auto prepared = prepare(group, run, bindings, device);
            compiled = compiled && prepared != nullptr;
            return prepared;
        };
        std::shared_ptr<const Prepared> prologue, epilogue;
        if (before != nullptr) prologue = prepare_group(*before, runs_[index].front());
        if (after != nullptr) epilogue = prepare_group(*after, runs_[index].back());
        if (!compiled) return;
        const auto make_ready = [&](const Group& group, GroupRun& run, std::shared_ptr<const Prepared> prepared) {
            const Schedule& schedule = prepared->schedule;
            auto ready =
                std::make_unique<Ready>(Ready{prepared,
                                              bind(group, run, schedule, ops, bindings, device),
                                              {*prepared->executable, {}, schedule.row, schedule.cubes_per_row}});
            ready->kernel.launch = ready->bound.first.launch(schedule.cubes);
            return ready;
        };
        std::unique_ptr<Ready> first, last;
        Alongside alongside;
        if (before != nullptr) {
            first = make_ready(*before, runs_[index].front(), prologue);
            alongside.prologue = &first->kernel;
            alongside.operand = segment_.values[op.inputs[0]].spec;
        }
        if (after != nullptr) {
            last = make_ready(*after, runs_[index].back(), epilogue);
            alongside.epilogue = &last->kernel;
            faults = last->bound.faults;
        }
        // A result of the group may have taken the product's place.
        const ValueId* holder = std::find_if(results.begin(), results.end(), [&](ValueId value) {
            return bindings.tensors[value] && device.data(bindings.tensors[value]) == place;
        });
        profile::Span span;
        if (profile::on())
            span.begin(profile::Kind::Kernel, describe(step, segment_).text(), cost_of_joined(step, segment_));
        device.run_into(ops[step.op], std::move(inputs), bindings.tensors[*holder], alongside);
    };
    attempt(bindings, std::span<const ValueId>(), results, part_of(step, segment_, run_step));
    if (!compiled) {
        bindings.tensors[product] = {};
        return run_parts(step, ops, bindings, engine);
    }
    if (faults && !failed(product) && found_fault(faults, engine)) run_apart(*after, ops, bindings, engine);
}

}  // namespace burn::compiler
