#pragma once

#include <burn/backends/cpu/libraries/dynamic_library.h>

namespace burn::cpu {

/// The library that onednn.h is about, for those who use more of it; check has_onednn() first.
const DynamicLibrary& onednn_library();

/// Keeps OpenMP from starting threads for oneDNN's calls of this thread, for which it counts threads one by one.
class OneThread {
public:
    OneThread();
    ~OneThread();
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int before_ = 1;
};

}  // namespace burn::cpu
