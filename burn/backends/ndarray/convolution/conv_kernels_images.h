// The images that a convolution reads, or the copies in their place.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include <burn/backends/ndarray/convolution/conv_kernels_planes.h>
#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>

namespace burn::ndarray {

/// The images of a batch, group by group: what one product reads.
template <class T>
struct ImageBatch {
    const T* data = nullptr;
    int64_t count = 0;  ///< batch * groups
    int64_t groups = 1;
    int64_t channels = 1;  ///< of one group
    Planes planes;

    int64_t size() const { return channels * planes.h.in * planes.w.in; }
    const T* image(int64_t index) const { return data + index * size(); }
    /// Whether kernels may read `reach` elements from the image's start on.
    bool is_readable(int64_t index, int64_t reach) const {
        return planes.is_image() && index * size() + reach <= count * size();
    }
    int64_t copy_size() const { return channels * planes.channel_size(); }
};

/// What kernels read in an image's place: itself, or a copy made here.
template <class T>
class PlaneCopy {
public:
    PlaneCopy(const ConvKernels<T>& kernels, const ImageBatch<T>& images, int64_t reach)
        : kernels_(kernels), images_(images), reach_(reach) {}

    bool needs_copy(int64_t index) const { return !images_.is_readable(index, reach_); }

    /// Room for the copy of one image, 0 wherever copy_planes does not write.
    T* room() {
        if (!room_) {
            const int64_t size = max_of(images_.copy_size(), reach_);
            room_.emplace(size);
            std::memset(room_->data(), 0, static_cast<std::size_t>(size) * sizeof(T));
        }
        return room_->data();
    }

    /// Image `index`, of which channels [begin, end) will be read.
    const T* of(int64_t index, int64_t begin, int64_t end) {
        if (!needs_copy(index)) return images_.image(index);
        copy_planes(kernels_, images_.planes, images_.image(index), room(), begin, end);
        return room();
    }

private:
    const ConvKernels<T>& kernels_;
    const ImageBatch<T>& images_;
    int64_t reach_;
    std::optional<Scratch<T>> room_;
};

}  // namespace burn::ndarray
