#include <burn/backends/ndarray/engine.h>

#include <burn/backends/ndarray/table.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>

#include <gtest/gtest.h>

namespace burn::ndarray::engine_test {
namespace {

/// NdArray's table, with no memory for a tensor of equal elements.
const Table& table_without_room() {
    static const Table made = [] {
        Table table = kTable;
        table.run[static_cast<std::size_t>(ops::OpCode::Full)] = [](const void*, Args&) -> ops::HandleList {
            raise(ErrorKind::OutOfMemory, Message() << "no room");
        };
        return table;
    }();
    return made;
}

class EngineWithoutRoom final : public HostEngine {
public:
    EngineWithoutRoom() : HostEngine("without room", table_without_room()) {}
};

TEST(HostEngine, SaysWhichOperationHadNoMemory) {
    static EngineWithoutRoom engine;
    try {
        ops::full(engine, {2, 3}, DType::F32, 1);
        FAIL() << "no error";
    } catch (const OutOfMemoryError& error) {
        EXPECT_STREQ(error.what(), "full: result f32 [2, 3]: no room");
    }
}

}  // namespace
}  // namespace burn::ndarray::engine_test
