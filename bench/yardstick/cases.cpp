#include <bench/yardstick/case.h>

namespace burn::bench {

CaseList all_cases() {
    CaseList cases;
    add_elementwise_cases(cases);
    add_reduction_cases(cases);
    add_matmul_cases(cases);
    add_layer_cases(cases);
    add_conv_cases(cases);
    add_overhead_cases(cases);
    add_training_cases(cases);
    return cases;
}

std::vector<MissingCase> missing_cases() { return {}; }

}  // namespace burn::bench
