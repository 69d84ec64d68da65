#pragma once

#include <burn/core/tensor_spec.h>

#include <cstdint>
#include <string>
#include <vector>

namespace burn {

/// What to do when record and module have different dtypes. Kinds (Float, Int, Bool) must agree under every policy.
enum class LoadDType : std::uint8_t {
    Exact,         ///< a difference is a fault
    FromRecord,    ///< the module takes the record's dtype
    CastToModule,  ///< values are converted to the module's dtype
};

/// By default, a record must fit a module in every name, shape and dtype.
struct LoadOptions {
    /// Whether parameters that the record lacks may keep their values.
    bool allow_partial = false;
    /// Whether tensors of the record that the module lacks may be passed over.
    bool allow_unused = false;
    LoadDType dtype = LoadDType::Exact;
    /// Whether parameters take the ids of the record, so that an optimiser's state finds them. Say no when the record is
    /// for a part of a model whose other parameters have ids already.
    bool param_ids = true;
};

/// How a record fits a module, by paths.
struct LoadReport {
    struct Mismatch {
        std::string path;
        std::string fault;  ///< "the record has f32 [3, 2], the module f32 [2, 3]"
    };

    std::vector<std::string> applied;
    std::vector<std::string> missing;  ///< in the module, not in the record
    std::vector<std::string> unused;   ///< in the record, not in the module
    std::vector<Mismatch> mismatched;

    /// Nothing is mismatched, and nothing missing or unused that the options do not allow.
    bool fits(const LoadOptions& options) const;

    /// One line a fault, with the names that may have been meant; at most `limit` lines of each kind (0: all).
    std::string text(std::size_t limit = 0) const;
};

}  // namespace burn
