#include <burn/ops/join.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

namespace burn::ops {

BURN_DEFINE_OP(Cat)

SpecList Cat::infer(std::span<const TensorSpec> inputs) {
    Shape shape = inputs[0].shape;
    const std::size_t joined = normalize_axis(axis, shape.rank(), info.name);
    axis = static_cast<std::int64_t>(joined);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        require_same_dtype(inputs[0], inputs[i], info.name);
        Shape expected = inputs[0].shape;
        if (inputs[i].rank() == expected.rank()) expected[joined] = inputs[i].shape[joined];
        if (!(inputs[i].shape == expected)) {
            raise(ErrorKind::Shape, Message()
                                        << "cat: tensor " << i << " has shape " << inputs[i].shape << ", the first "
                                        << inputs[0].shape << "; expected them equal but on axis " << axis);
        }
        shape[joined] += inputs[i].shape[joined];
        require_valid_shape(shape, info.name);  // here, before many large views overflow the sum
    }
    return {TensorSpec{shape, inputs[0].dtype}};
}

void Cat::gradient(GradScope& scope) const {
    std::int64_t start = 0;
    for (std::size_t i = 0; i < scope.input_count(); ++i) {
        const std::int64_t length = scope.input_spec(i).shape[static_cast<std::size_t>(axis)];
        if (scope.wants(i)) scope.dx(i) = narrow(scope.dy(), axis, start, length);
        start += length;
    }
}

Handle cat(HandleList tensors, std::int64_t axis) { return apply_one(Cat{axis}, std::move(tensors)); }

Handle stack(HandleList tensors, std::int64_t axis) {
    if (tensors.empty()) raise(ErrorKind::Argument, Message() << "stack: no tensors; expected at least one");
    const std::size_t place = normalize_axis(axis, tensors[0].rank() + 1, "stack");
    for (Handle& tensor : tensors) {
        if (!(tensor.shape() == tensors[0].shape()) && tensor.rank() == tensors[0].rank()) {
            raise(ErrorKind::Shape, Message()
                                        << "stack: shapes differ: " << tensors[0].shape() << " and " << tensor.shape());
        }
    }
    for (Handle& tensor : tensors) tensor = unsqueeze_dim(std::move(tensor), static_cast<std::int64_t>(place));
    return cat(std::move(tensors), static_cast<std::int64_t>(place));
}

Handle repeat_dim(Handle x, std::int64_t axis, std::int64_t times) {
    Shape shape = x.shape();
    const std::size_t repeated = normalize_axis(axis, shape.rank(), "repeat_dim");
    if (times < 0) raise(ErrorKind::Argument, Message() << "repeat_dim: " << times << " times; expected 0 or more");
    if (times == 1) return x;
    // Three axes suffice, so that a tensor of full rank can be repeated too.
    std::int64_t outer = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < shape.rank(); ++i) (i < repeated ? outer : inner) *= shape[i];
    Handle repeats = expand(reshape(std::move(x), {outer, 1, inner}), {outer, times, inner});  // checks the product
    shape[repeated] *= times;
    return reshape(std::move(repeats), shape);
}

Handle repeat(Handle x, const Dims& times) {
    if (times.size() != x.rank()) {
        raise(ErrorKind::Shape, Message() << "repeat: " << times << " has " << times.size() << " numbers for "
                                          << x.shape() << "; expected one an axis");
    }
    for (std::size_t axis = times.size(); axis-- > 0;)
        x = repeat_dim(std::move(x), static_cast<std::int64_t>(axis), times[axis]);
    return x;
}

namespace {

/// A border whose values come from the tensor itself, on one axis.
Handle pad_axis(Handle x, std::int64_t axis, std::int64_t before, std::int64_t after, PadMode mode) {
    const std::int64_t size = x.shape()[static_cast<std::size_t>(axis)];
    const std::int64_t most = before > after ? before : after;
    if (mode == PadMode::Reflect && most > size - 1) {
        raise(ErrorKind::Argument, Message() << "pad: " << most << " elements cannot be reflected on axis " << axis
                                             << " of " << x.shape() << "; expected at most " << size - 1);
    }
    if (mode == PadMode::Edge && size == 0) {
        raise(ErrorKind::Argument, Message()
                                       << "pad: axis " << axis << " of " << x.shape() << " is empty and has no edge");
    }
    const auto border = [&](std::int64_t width, bool at_start) {
        if (mode == PadMode::Reflect) {
            return slice_dim(x, axis, at_start ? Slice(1, width + 1, -1) : Slice(size - 1 - width, size - 1, -1));
        }
        Shape shape = x.shape();
        shape[static_cast<std::size_t>(axis)] = width;
        return expand(narrow(x, axis, at_start ? 0 : size - 1, 1), shape);
    };
    HandleList pieces;
    if (before > 0) pieces.push_back(border(before, true));
    pieces.push_back(x);
    if (after > 0) pieces.push_back(border(after, false));
    return cat(std::move(pieces), axis);
}

}  // namespace

Handle pad(Handle x, const Dims& before, const Dims& after, PadMode mode, Scalar value) {
    Shape shape = x.shape();
    if (before.size() != after.size() || before.size() > shape.rank()) {
        raise(ErrorKind::Shape, Message() << "pad: " << before << " before and " << after << " after for " << shape
                                          << "; expected as many numbers in both, one for each of the last axes");
    }
    const std::size_t first = shape.rank() - before.size();
    SliceList middle(shape.rank());
    bool none = true;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] < 0 || after[i] < 0) {
            raise(ErrorKind::Argument,
                  Message() << "pad: " << before << " before and " << after << " after; expected no negative number");
        }
        for (const std::int64_t width : {before[i], after[i]})
            require_valid_shape({width}, "pad");  // the sum may overflow
        middle[first + i] = {before[i], before[i] + shape[first + i]};
        shape[first + i] += before[i] + after[i];
        none = none && before[i] == 0 && after[i] == 0;
    }
    if (mode == PadMode::Constant) require_scalar_fits(value, x.dtype(), "pad");
    if (none) return x;
    if (mode == PadMode::Constant) {
        Handle border = full(x.engine(), shape, x.dtype(), value);
        return slice_assign(std::move(border), std::move(middle), std::move(x));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == 0 && after[i] == 0) continue;
        x = pad_axis(std::move(x), static_cast<std::int64_t>(first + i), before[i], after[i], mode);
    }
    return x;
}

Handle roll_dim(Handle x, std::int64_t axis, std::int64_t shift) {
    const std::int64_t size = x.shape()[normalize_axis(axis, x.rank(), "roll_dim")];
    if (size == 0) return x;
    const std::int64_t turned = ((shift % size) + size) % size;
    if (turned == 0) return x;
    Handle last = narrow(x, axis, size - turned, turned);
    Handle rest = narrow(std::move(x), axis, 0, size - turned);
    return cat(list_of(std::move(last), std::move(rest)), axis);
}

Handle roll(Handle x, const Dims& shifts, const Dims& axes) {
    if (shifts.size() != axes.size()) {
        raise(ErrorKind::Argument,
              Message() << "roll: shifts " << shifts << " for axes " << axes << "; expected one for each");
    }
    for (std::size_t i = 0; i < axes.size(); ++i) x = roll_dim(std::move(x), axes[i], shifts[i]);
    return x;
}

HandleList split(Handle x, std::int64_t size, std::int64_t axis) {
    const std::int64_t length = x.shape()[normalize_axis(axis, x.rank(), "split")];
    if (size < 1) raise(ErrorKind::Argument, Message() << "split: pieces of size " << size << "; expected at least 1");
    HandleList pieces;
    std::int64_t start = 0;
    do {
        const std::int64_t left = length - start;
        pieces.push_back(narrow(x, axis, start, left < size ? left : size));
        start += size;
    } while (start < length);
    return pieces;
}

HandleList chunk(Handle x, std::int64_t chunks, std::int64_t axis) {
    const std::int64_t length = x.shape()[normalize_axis(axis, x.rank(), "chunk")];
    if (chunks < 1) raise(ErrorKind::Argument, Message() << "chunk: " << chunks << " chunks; expected at least 1");
    const std::int64_t size = length / chunks + (length % chunks != 0);
    return split(std::move(x), size > 0 ? size : 1, axis);
}

HandleList split_with_sizes(Handle x, std::span<const std::int64_t> sizes, std::int64_t axis) {
    const std::int64_t length = x.shape()[normalize_axis(axis, x.rank(), "split_with_sizes")];
    std::int64_t total = 0;
    for (std::int64_t size : sizes) {
        if (size < 0 || size > length - total) total = length + 1;  // also where a sum would overflow
        if (total > length) break;
        total += size;
    }
    if (total != length) {
        Message message;
        message << "split_with_sizes: the sizes";
        for (std::int64_t size : sizes) message << ' ' << size;
        raise(ErrorKind::Shape,
              message << " do not make up axis " << axis << " of " << x.shape() << ", which has " << length);
    }
    HandleList pieces;
    std::int64_t start = 0;
    for (std::int64_t size : sizes) {
        pieces.push_back(narrow(x, axis, start, size));
        start += size;
    }
    return pieces;
}

}  // namespace burn::ops
