#pragma once

#include <burn/base/message.h>
#include <burn/ops/field.h>

namespace burn::ops {

/// Writes attributes as `name=value, name=value`.
class PrintFields final : public FieldVisitor {
public:
    /// Which values are written; of others there is a question mark.
    enum class Values : std::uint8_t { All, Structural };

    explicit PrintFields(Message& message, Values values = Values::All) : message_(message), values_(values) {}
    void field(const Field& field) override;

private:
    Message& message_;
    Values values_;
    bool first_ = true;
};

}  // namespace burn::ops
