#include <burn/optim/gradient_clipping.h>

#include <burn/ops/cast.h>
#include <burn/ops/functions.h>

namespace burn::optim {

namespace {

/// The sum of squares, of shape [1], in at least f32.
ops::Handle sum_of_squares(const ops::Handle& gradient) {
    const bool half = gradient.dtype() == DType::F16 || gradient.dtype() == DType::BF16;
    const ops::Handle wide = half ? ops::cast(gradient, DType::F32) : gradient;
    return ops::sum_all(ops::mul(wide, wide));
}

/// min(1, threshold / norm) from the norm's square; 1 where the norm is 0.
ops::Handle clipping_scale(ops::Handle square, double threshold) {
    return ops::clamp_max(ops::div_into_scalar(ops::sqrt(std::move(square)), threshold), 1);
}

ops::Handle scaled(ops::Handle gradient, const ops::Handle& scale) {
    const ops::Handle fitting = ops::cast(ops::reshape(scale, Dims::filled(gradient.rank(), 1)), gradient.dtype());
    return ops::mul(std::move(gradient), fitting);
}

}  // namespace

void GradientClipping::check() const {
    if (!(threshold > 0)) {
        raise(ErrorKind::Argument,
              Message() << "GradientClipping: the threshold is " << *threshold << "; expected a positive number");
    }
}

void GradientClipping::clip(GradientsParams& gradients) const {
    check();
    ops::Handle total;
    for (GradientsParams::Entry& entry : gradients.entries()) {
        if (!entry.gradient) continue;
        switch (kind) {
            case ClippingKind::Value:
                entry.gradient = ops::clamp(std::move(entry.gradient), -threshold, *threshold);
                break;
            case ClippingKind::Norm: {
                const ops::Handle scale = clipping_scale(sum_of_squares(entry.gradient), threshold);
                entry.gradient = scaled(std::move(entry.gradient), scale);
                break;
            }
            case ClippingKind::GlobalNorm: {
                ops::Handle square = sum_of_squares(entry.gradient);
                if (total && total.dtype() != square.dtype()) square = ops::cast(std::move(square), total.dtype());
                total = total ? ops::add(std::move(total), std::move(square)) : std::move(square);
                break;
            }
        }
    }
    if (!total) return;
    const ops::Handle scale = clipping_scale(std::move(total), threshold);
    for (GradientsParams::Entry& entry : gradients.entries()) {
        if (entry.gradient) entry.gradient = scaled(std::move(entry.gradient), scale);
    }
}

}  // namespace burn::optim
