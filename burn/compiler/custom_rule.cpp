#include <burn/compiler/custom_rule.h>

#include <burn/base/hash.h>
#include <burn/compiler/custom_op.h>
#include <burn/kernel/interpret.h>
#include <burn/ops/checks.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace burn::custom {

namespace {

/// Inference checks operands: its errors read like those of the library's operations, without saying where they come from.
constexpr char kInference[] = "inference";

/// Runs what a user wrote; what it throws becomes an error that names the operation.
template <class Body>
decltype(auto) guarded(const char* op, const char* what, Body body) {
    try {
        return body();
    } catch (const Error& error) {
        const std::size_t length = std::strlen(op);
        if (std::strncmp(error.what(), op, length) == 0 && error.what()[length] == ':') throw;
        Message message;
        message << op << ": ";
        if (what != kInference) message << "its " << what << ": ";
        raise(error.kind(), message << error.what());
    } catch (const std::exception& error) {
        raise(ErrorKind::Argument, Message() << op << ": its " << what << " threw: " << error.what());
    } catch (...) {
        raise(ErrorKind::Argument, Message() << op << ": its " << what << " threw what is no std::exception");
    }
}

Message& operator<<(Message& message, const TensorSpec& spec) { return message << spec.dtype << ' ' << spec.shape; }

/// The run-time attributes, as a kernel takes them.
class RuntimeNumbers final : public ops::FieldVisitor {
public:
    void field(const ops::Field& field) override {
        if (field.structural) return;
        switch (field.type) {
            case ops::FieldType::Bool: numbers.push_back(*static_cast<const bool*>(field.value)); break;
            case ops::FieldType::Int: numbers.push_back(*static_cast<const std::int64_t*>(field.value)); break;
            case ops::FieldType::Float: numbers.push_back(*static_cast<const double*>(field.value)); break;
            case ops::FieldType::Scalar: numbers.push_back(*static_cast<const Scalar*>(field.value)); break;
            default:
                raise(ErrorKind::Argument,
                      Message() << "the run-time attribute " << field.name << " is no number; make it structural");
        }
    }
    SmallVector<Scalar, 4> numbers;
};

bool same(std::span<const TensorSpec> a, std::span<const TensorSpec> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// A call without what its attributes are given at run time.
std::uint64_t hash_of(const ops::AnyOp& op, const Call& call) {
    Hasher hasher;
    hasher.add(op.structural_hash());
    hasher.add(call.vector_bytes);
    for (const auto& specs : {call.inputs, call.outputs}) {
        for (const TensorSpec& spec : specs) {
            hasher.add(static_cast<std::uint64_t>(spec.dtype));
            for (const std::int64_t size : spec.shape) hasher.add(static_cast<std::uint64_t>(size));
        }
    }
    for (const Layout& layout : call.layouts) {
        for (const std::int64_t stride : layout.strides) hasher.add(static_cast<std::uint64_t>(stride));
    }
    return hasher.value();
}

/// Vectors for the kernel that a call is checked with, before it is known where it runs; and for the interpreter.
constexpr std::size_t kCheckedVectorBytes = 32;

SmallVector<Layout, 4> contiguous_layouts(std::span<const TensorSpec> specs) {
    SmallVector<Layout, 4> layouts;
    for (const TensorSpec& spec : specs) layouts.push_back(Layout::contiguous(spec.shape));
    return layouts;
}

}  // namespace

class PreparedKernel {
public:
    PreparedKernel(const ops::AnyOp& op, const Call& call, std::uint64_t hash, Launch launch)
        : hash_(hash), op_(op), inputs_(call.inputs), outputs_(call.outputs), layouts_(call.layouts),
          vector_bytes_(call.vector_bytes), launch_(std::move(launch)) {
        check();
        for (std::size_t i = 0; i < launch_.scalars.size(); ++i) scalars_.push_back(bits_of(launch_.scalars[i], i));
    }

    bool serves(const ops::AnyOp& op, const Call& call, std::uint64_t hash) const {
        if (hash != hash_ || call.vector_bytes != vector_bytes_ || !op.same_structure(op_)) return false;
        for (std::size_t i = 0; i < layouts_.size() && i < call.layouts.size(); ++i) {
            if (!(layouts_[i].strides == call.layouts[i].strides)) return false;
        }
        return same({inputs_.data(), inputs_.size()}, call.inputs) &&
               same({outputs_.data(), outputs_.size()}, call.outputs);
    }

    const kernel::Kernel& kernel() const { return launch_.kernel; }
    std::int64_t cubes() const { return launch_.cubes; }

    /// What the kernel's scalars are for the attributes that `op` has now.
    ///
    /// Errors    DTypeError when one does not fit its type
    SmallVector<std::uint64_t, 8> scalars(const ops::AnyOp& op) const {
        SmallVector<std::uint64_t, 8> bits = scalars_;
        RuntimeNumbers attributes;
        op.visit_fields(attributes);
        for (const Scalar& number : attributes.numbers) bits.push_back(bits_of(number, bits.size()));
        return bits;
    }

    compiler::ExecutableRef executable(compiler::Device& device) const {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, executable] : executables_) {
            if (known == &device) return executable;
        }
        compiler::ExecutableRef made = guarded(op_.name(), "kernel", [&] { return device.compile(launch_.kernel); });
        executables_.emplace_back(&device, made);
        return made;
    }

private:
    std::uint64_t bits_of(const Scalar& number, std::size_t scalar) const {
        ops::require_scalar_fits(number, scalar_types_[scalar], op_.name());
        return kernel::element_bits(scalar_types_[scalar], number);
    }

    [[noreturn]] void fail(ErrorKind kind, const Message& what) const {
        raise(kind, Message() << op_.name() << ": its kernel " << what.text());
    }

    /// That the kernel can be launched for this call: parameters of the right number, types and use.
    void check() {
        guarded(op_.name(), "kernel", [&] { kernel::verify(launch_.kernel); });
        if (launch_.cubes < 0) fail(ErrorKind::Argument, Message() << "runs on " << launch_.cubes << " cubes");
        const std::size_t wanted = inputs_.size() + outputs_.size();
        std::size_t buffers = 0;
        for (const kernel::NodeId id : launch_.kernel.parameters) {
            const kernel::Node& node = launch_.kernel[id];
            if (node.kind == kernel::NodeKind::Scalar) {
                scalar_types_.push_back(node.type.dtype);
            } else if (buffers++ < wanted) {
                check_buffer(buffers - 1, node);
            }
        }
        if (buffers != wanted) {
            fail(ErrorKind::Argument, Message() << "has " << buffers << " buffers; expected " << wanted << ": operands "
                                                << inputs_.size() << ", results " << outputs_.size());
        }
        RuntimeNumbers attributes;
        guarded(op_.name(), "attributes", [&] { op_.visit_fields(attributes); });
        if (scalar_types_.size() != launch_.scalars.size() + attributes.numbers.size()) {
            fail(ErrorKind::Argument, Message() << "has " << scalar_types_.size() << " scalars; expected "
                                                << launch_.scalars.size() + attributes.numbers.size()
                                                << ": of the launch " << launch_.scalars.size()
                                                << ", run-time attributes " << attributes.numbers.size());
        }
    }

    void check_buffer(std::size_t index, const kernel::Node& node) const {
        using kernel::Access;
        const bool is_result = index >= inputs_.size();
        const DType dtype = is_result ? outputs_[index - inputs_.size()].dtype : inputs_[index].dtype;
        const auto access = static_cast<Access>(node.immediate);
        if (node.type.dtype == dtype && (access == Access::Read) != is_result) return;
        fail(node.type.dtype != dtype ? ErrorKind::DType : ErrorKind::Argument,
             Message() << "has as buffer " << index << ' ' << node.type.dtype << ' ' << name_of(access) << "; expected "
                       << dtype << (is_result ? " write, result " : " read, operand ")
                       << (is_result ? index - inputs_.size() : index));
    }

    std::uint64_t hash_;
    ops::AnyOp op_;
    SpecList inputs_, outputs_;
    SmallVector<Layout, 4> layouts_;
    std::size_t vector_bytes_;
    Launch launch_;
    SmallVector<DType, 8> scalar_types_;
    SmallVector<std::uint64_t, 8> scalars_;  ///< those of the launch, which come first
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<compiler::Device*, compiler::ExecutableRef>> executables_;
};

void detail::SpoilRuntime::field(const ops::Field& field) {
    if (field.structural) return;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    switch (field.type) {
        case ops::FieldType::Float: *static_cast<double*>(field.value) = kNan; break;
        case ops::FieldType::Scalar: *static_cast<Scalar*>(field.value) = kNan; break;
        case ops::FieldType::Int:
            *static_cast<std::int64_t*>(field.value) = std::numeric_limits<std::int64_t>::min();
            break;
        default: break;
    }
}

namespace {

const Rule& rule_of(const ops::AnyOp& op) { return static_cast<const Rule&>(*op.op_class().custom); }

/// Reads the operands, interprets the kernel, and uploads the results: works on every engine.
ops::HandleList run_interpreted(const ops::AnyOp& op, ops::Engine& engine, ops::HandleList inputs) {
    SpecList specs;
    std::vector<TensorData> data;
    std::vector<kernel::BufferElements> buffers;
    for (ops::Handle& input : inputs) {
        specs.push_back(input.spec());
        const TensorData& read = data.emplace_back(engine.read(std::move(input)).wait());
        // Operands are buffers that the kernel only reads.
        buffers.push_back({const_cast<std::byte*>(read.bytes().data()), read.numel()});
    }
    ops::AnyOp inferred = op;
    const SpecList results = inferred.infer({specs.data(), specs.size()});
    const auto layouts = contiguous_layouts({specs.data(), specs.size()});
    const auto prepared = rule_of(op).prepare(op, {{specs.data(), specs.size()},
                                                   {results.data(), results.size()},
                                                   {layouts.data(), layouts.size()},
                                                   kCheckedVectorBytes});
    std::vector<TensorData> made;
    for (const TensorSpec& result : results) {
        TensorData& empty = made.emplace_back(result.shape, result.dtype);
        const std::span<std::byte> bytes = empty.mutable_bytes();
        // Nothing that a compiled kernel could count on: NaN, as in the interpreter's own arrays.
        std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
        buffers.push_back({bytes.data(), empty.numel()});
    }
    const auto scalars = prepared->scalars(op);
    guarded(op.name(), "kernel", [&] {
        kernel::interpret(prepared->kernel(), buffers, {scalars.data(), scalars.size()}, 0, prepared->cubes());
    });
    ops::HandleList outputs;
    for (TensorData& result : made) outputs.push_back(engine.upload(std::move(result)));
    return outputs;
}

}  // namespace

Rule::Rule(const Info& info, const Functions& user, const ops::OpClass& op_class)
    : CustomRule{run_interpreted}, info_(info), user_(user), op_class_(op_class) {
    op_class_.code = ops::OpCode::Custom;
    op_class_.info = {.name = info.name,
                      .doc = "written outside the library",
                      .kind = ops::OpKind::Custom,
                      .inputs = info.inputs,
                      .outputs = info.outputs,
                      .saves = info.saves};
    op_class_.custom = user.kernel != nullptr ? this : nullptr;
}

SpecList Rule::infer(void* op, std::span<const TensorSpec> inputs) const {
    const SpecList results = guarded(info_.name, kInference, [&] { return user_.infer(op, inputs); });
    if (results.size() != static_cast<std::size_t>(info_.outputs)) {
        raise(ErrorKind::Argument, Message() << info_.name << ": its inference gives " << results.size()
                                             << " results; expected " << info_.outputs << ", as its info says");
    }
    for (const TensorSpec& result : results) {
        require_valid_shape(result.shape, info_.name);
        if (static_cast<int>(result.dtype) >= kDTypeCount) {
            raise(ErrorKind::DType, Message() << info_.name << ": its inference gives a result of no dtype: "
                                              << static_cast<int>(result.dtype));
        }
    }
    if (user_.kernel != nullptr) {
        const auto layouts = contiguous_layouts(inputs);
        const ops::AnyOp called(op_class_, op);
        prepare(called,
                {inputs, {results.data(), results.size()}, {layouts.data(), layouts.size()}, kCheckedVectorBytes})
            ->scalars(called);
    }
    return results;
}

void Rule::gradient(const void* op, ops::GradScope& scope) const {
    guarded(info_.name, "gradient", [&] { user_.gradient(op, scope); });
    for (std::size_t i = 0; i < scope.input_count(); ++i) {
        if (!scope.dx(i) || scope.dx(i).spec() == scope.input_spec(i)) continue;
        raise(ErrorKind::Shape, Message() << info_.name << ": its gradient of operand " << i << " is "
                                          << scope.dx(i).spec() << "; expected " << scope.input_spec(i));
    }
}

ops::HandleList Rule::decompose(const void* op, ops::HandleList inputs) const {
    SpecList specs;
    for (const ops::Handle& input : inputs) specs.push_back(input.spec());
    ops::HandleList outputs =
        guarded(info_.name, "decomposition", [&] { return user_.decompose(op, std::move(inputs)); });
    ops::AnyOp inferred(op_class_, op);
    const SpecList expected = inferred.infer({specs.data(), specs.size()});
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (outputs.size() == expected.size() && outputs[i].spec() == expected[i]) continue;
        Message message;
        message << info_.name << ": its decomposition gives ";
        if (outputs.size() == expected.size()) {
            message << outputs[i].spec() << " as result " << i << "; expected " << expected[i];
        } else {
            message << outputs.size() << " results; expected " << expected.size();
        }
        raise(ErrorKind::Shape, message);
    }
    return outputs;
}

std::shared_ptr<const PreparedKernel> Rule::prepare(const ops::AnyOp& op, const Call& call) const {
    const std::uint64_t hash = hash_of(op, call);
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(prepared_.begin(), prepared_.end(),
                                        [&](const auto& prepared) { return prepared->serves(op, call, hash); });
        if (found != prepared_.end()) {
            std::rotate(found, found + 1, prepared_.end());
            return prepared_.back();
        }
    }
    // Two threads may write the same kernel; then there are two for a while.
    Launch launch = guarded(info_.name, "kernel", [&] { return user_.kernel(op.attributes(), call); });
    auto prepared = std::make_shared<const PreparedKernel>(op, call, hash, std::move(launch));
    const std::lock_guard lock(mutex_);
    if (prepared_.size() >= kCapacity) prepared_.erase(prepared_.begin());
    prepared_.push_back(prepared);
    return prepared;
}

ops::HandleList run_on(compiler::Device& device, const ops::AnyOp& op, ops::HandleList inputs,
                       const SpecList& results) {
    const Rule& rule = rule_of(op);
    SpecList specs;
    SmallVector<Layout, 4> layouts;
    SmallVector<std::byte*, 8> buffers;
    for (ops::Handle& input : inputs) {
        if (!rule.info().strided) input = device.contiguous(input);
        specs.push_back(input.spec());
        layouts.push_back(device.layout(input));
        layouts.back().offset = 0;
        buffers.push_back(device.data(input));
    }
    const auto prepared = rule.prepare(op, {{specs.data(), specs.size()},
                                            {results.data(), results.size()},
                                            {layouts.data(), layouts.size()},
                                            device.vector_bytes()});
    const compiler::ExecutableRef executable = prepared->executable(device);
    ops::HandleList outputs;
    for (const TensorSpec& result : results) {
        outputs.push_back(device.make_tensor(result));
        buffers.push_back(device.data(outputs.back()));
    }
    const auto scalars = prepared->scalars(op);
    const compiler::Launch launch{
        prepared->cubes(), {buffers.data(), buffers.size()}, {scalars.data(), scalars.size()}};
    if (launch.cubes > 0) device.launch(*executable, {&launch, 1});
    return outputs;
}

}  // namespace burn::custom
