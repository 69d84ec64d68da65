#include <burn/decorators/autodiff/autodiff_tensor.h>
#include <burn/decorators/autodiff/frontier.h>
#include <burn/ops/create.h>

namespace burn::autodiff {

Gradients backward(const ops::Handle& root, ops::Handle cotangent) {
    const GradEdge& start = AutodiffTensor::of(root).edge();
    if (!start) {
        raise(ErrorKind::Gradient, Message()
                                       << "backward: the tensor " << root.shape()
                                       << " is not tracked; none of what it was made from is marked by require_grad");
    }
    if (!(cotangent.spec() == root.spec())) {
        raise(ErrorKind::Shape, Message() << "backward: the cotangent is " << cotangent.dtype() << ' '
                                          << cotangent.shape() << "; expected " << root.dtype() << ' ' << root.shape());
    }
    Frontier frontier;
    frontier.add(start, {std::move(cotangent)});
    frontier.walk();
    return std::move(frontier.gradients());
}

Gradients backward(const ops::Handle& root) {
    return backward(root, ops::full_like(AutodiffTensor::of(root).inner(), 1));
}

}  // namespace burn::autodiff
