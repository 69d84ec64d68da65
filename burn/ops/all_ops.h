#pragma once

#include <burn/ops/attention.h>
#include <burn/ops/cast.h>
#include <burn/ops/conv.h>
#include <burn/ops/create.h>
#include <burn/ops/indexing.h>
#include <burn/ops/join.h>
#include <burn/ops/linear.h>
#include <burn/ops/loss.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/norm.h>
#include <burn/ops/optim.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/pool.h>
#include <burn/ops/random.h>
#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/slice.h>
#include <burn/ops/softmax.h>
#include <burn/ops/sort.h>

namespace burn::ops {

template <class... Ops>
struct OpList {};

namespace detail {
struct End;
template <class List>
struct DropEnd;
template <class... Ops>
struct DropEnd<OpList<End, Ops...>> {
    using type = OpList<Ops...>;
};
}  // namespace detail

/// The code of a structured operation.
template <class Op>
struct CodeOf;
#define OP(NAME)                                      \
    template <>                                       \
    struct CodeOf<NAME> {                             \
        static constexpr OpCode value = OpCode::NAME; \
    };
#include <burn/ops/ops.def>
#undef OP

/// Every operation of the library, as a list of types; tables are built from it.
using AllOps = detail::DropEnd<OpList<detail::End
#define POINTWISE(NAME, ...) , PointwiseOp<OpCode::NAME>
#include <burn/ops/pointwise.def>
#undef POINTWISE
#define OP(NAME) , NAME
#include <burn/ops/ops.def>
#undef OP
                                      >>::type;

}  // namespace burn::ops
