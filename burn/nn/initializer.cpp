#include <burn/nn/initializer.h>

#include <burn/ops/random.h>

namespace burn::nn {

namespace {

/// A value drawn with numbers that were reserved, or one number everywhere.
class SimpleValue final : public ParamInitializer {
public:
    SimpleValue(ops::Engine& engine, const ops::Random& random)
        : ParamInitializer(engine, {random.shape, random.dtype}), random_(random) {}
    SimpleValue(ops::Engine& engine, const TensorSpec& spec, double constant)
        : ParamInitializer(engine, spec), constant_(constant) {}

    ops::Handle make() const override {
        if (random_) return std::move(ops::apply_on(engine(), *random_, {})[0]);
        return ops::full(engine(), spec().shape, spec().dtype, constant_);
    }

private:
    std::optional<ops::Random> random_;
    double constant_ = 0;
};

double dot(const double* a, const double* b, std::int64_t size) {
    double sum = 0;
    for (std::int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
    return sum;
}

/// Makes the rows orthonormal; there are at most as many as columns.
///
/// Source    modified Gram-Schmidt, twice: Giraud, Langou, Rozloznik, "The loss of orthogonality in the Gram-Schmidt
///           orthogonalization process", 2005
void orthonormalize_rows(double* values, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t row = 0; row < rows; ++row) {
        double* current = values + row * columns;
        for (int pass = 0; pass < 2; ++pass) {
            for (std::int64_t before = 0; before < row; ++before) {
                const double* other = values + before * columns;
                const double share = dot(current, other, columns);
                for (std::int64_t i = 0; i < columns; ++i) current[i] -= share * other[i];
            }
        }
        const double scale = 1 / __builtin_sqrt(dot(current, current, columns));
        for (std::int64_t i = 0; i < columns; ++i) current[i] *= scale;
    }
}

class OrthogonalValue final : public ParamInitializer {
public:
    OrthogonalValue(ops::Engine& engine, const ops::Random& random, double gain)
        : ParamInitializer(engine, {random.shape, random.dtype}), random_(random), gain_(gain) {}

    ops::Handle make() const override {
        ops::Handle drawn = std::move(ops::apply_on(engine(), random_, {})[0]);
        const TensorData normal = engine().read(std::move(drawn)).wait().convert(DType::F64);
        const std::int64_t first = spec().shape[0];
        const std::int64_t rest = first == 0 ? 0 : spec().shape.numel() / first;
        const std::int64_t rows = first < rest ? first : rest;
        const std::int64_t columns = first < rest ? rest : first;
        TensorData matrix(Shape{rows, columns}, DType::F64);
        copy(normal.values<double>().data(), matrix.mutable_values<double>().data(), rows, columns, first >= rest,
             false);
        orthonormalize_rows(matrix.mutable_values<double>().data(), rows, columns);
        TensorData result(spec().shape, DType::F64);
        copy(matrix.values<double>().data(), result.mutable_values<double>().data(), rows, columns, first >= rest,
             true);
        for (double& value : result.mutable_values<double>()) value *= gain_;
        return engine().upload(result.convert(spec().dtype));
    }

private:
    /// Copies [rows, columns]; the side of the tensor lies transposed when it is higher than wide.
    static void copy(const double* from, double* to, std::int64_t rows, std::int64_t columns, bool transposed,
                     bool back) {
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                const std::int64_t straight = row * columns + column;
                const std::int64_t outside = transposed ? column * rows + row : straight;
                to[back ? outside : straight] = from[back ? straight : outside];
            }
        }
    }

    ops::Random random_;
    double gain_;
};

/// The numbers are taken from the stream here; they are computed when the value is made.
ops::Random reserved(ops::Engine& engine, const TensorSpec& spec, const Distribution& law) {
    ops::Random random{.shape = spec.shape, .dtype = spec.dtype, .law = law.law, .a = law.a, .b = law.b};
    random.infer({});
    const ops::RandomState state = engine.take_random(static_cast<std::uint64_t>(random.blocks()));
    random.key = static_cast<std::int64_t>(state.key);
    random.counter = static_cast<std::int64_t>(state.counter);
    return random;
}

void require_fan(const char* kind, const char* which, std::int64_t fan) {
    if (fan > 0) return;
    raise(ErrorKind::Argument,
          Message() << kind << ": the number of " << which << " is " << fan << "; give init the fans of the layer");
}

double kaiming_scale(const Initializer& initializer, Fans fans) {
    const std::int64_t fan = initializer.fan_out_only ? fans.out : fans.in;
    require_fan(name_of(initializer.kind), initializer.fan_out_only ? "outputs" : "inputs", fan);
    return initializer.gain / __builtin_sqrt(static_cast<double>(fan));
}

double xavier_scale(const Initializer& initializer, Fans fans) {
    require_fan(name_of(initializer.kind), "inputs", fans.in);
    require_fan(name_of(initializer.kind), "outputs", fans.out);
    return initializer.gain * __builtin_sqrt(2.0 / (static_cast<double>(fans.in) + static_cast<double>(fans.out)));
}

/// The uniform law around 0 with this standard deviation.
Distribution uniform_of(double std) {
    const double bound = __builtin_sqrt(3.0) * std;
    return Distribution::uniform(-bound, bound);
}

}  // namespace

Ref<ParamInitializer> Initializer::initial_value(ops::Engine& engine, const TensorSpec& spec, Fans fans) const {
    require_valid_shape(spec.shape, "init");
    const auto constant = [&](double number) { return make_ref<SimpleValue>(engine, spec, number); };
    const auto drawn = [&](const Distribution& law) {
        return make_ref<SimpleValue>(engine, reserved(engine, spec, law));
    };
    switch (kind) {
        case InitializerKind::Constant: return constant(value);
        case InitializerKind::Ones: return constant(1);
        case InitializerKind::Zeros: return constant(0);
        case InitializerKind::Uniform: return drawn(Distribution::uniform(min, max));
        case InitializerKind::Normal: return drawn(Distribution::normal(mean, std));
        case InitializerKind::KaimingUniform: return drawn(uniform_of(kaiming_scale(*this, fans)));
        case InitializerKind::KaimingNormal: return drawn(Distribution::normal(0, kaiming_scale(*this, fans)));
        case InitializerKind::XavierUniform: return drawn(uniform_of(xavier_scale(*this, fans)));
        case InitializerKind::XavierNormal: return drawn(Distribution::normal(0, xavier_scale(*this, fans)));
        case InitializerKind::Orthogonal: break;
    }
    if (spec.shape.rank() < 2) {
        raise(ErrorKind::Argument, Message()
                                       << "Orthogonal: shape " << spec.shape << " has one axis; expected at least 2");
    }
    return make_ref<OrthogonalValue>(engine, reserved(engine, spec, Distribution::normal()), gain);
}

}  // namespace burn::nn
