#include <burn/base/small_object.h>

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace burn::small_object_test {
namespace {

TEST(SmallObject, HasMemoryOfItsOwn) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{32}, std::size_t{33}, std::size_t{144},
                                    std::size_t{1024}, std::size_t{1025}, std::size_t{5000}}) {
        std::vector<unsigned char*> objects;
        for (int round = 0; round < 3; ++round) {  // the second and third round get what the one before freed
            for (unsigned char i = 0; i < 50; ++i) {
                objects.push_back(static_cast<unsigned char*>(allocate_small(bytes)));
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(objects.back()) % alignof(std::max_align_t), 0u);
                std::memset(objects.back(), i, bytes);
            }
            for (std::size_t i = 0; i < objects.size(); ++i) {
                for (std::size_t byte = 0; byte < bytes; ++byte) ASSERT_EQ(objects[i][byte], i) << bytes;
            }
            for (unsigned char* object : objects) free_small(object, bytes);
            objects.clear();
        }
    }
}

TEST(SmallObject, ManyAtOnceAreAllDifferent) {
    std::set<void*> objects;
    for (int i = 0; i < 20000; ++i) objects.insert(allocate_small(64));  // more than a thread keeps
    EXPECT_EQ(objects.size(), 20000u);
    for (void* object : objects) free_small(object, 64);
    objects.clear();
    for (int i = 0; i < 20000; ++i) objects.insert(allocate_small(64));
    EXPECT_EQ(objects.size(), 20000u);
    for (void* object : objects) free_small(object, 64);
}

TEST(SmallObject, MayBeFreedByAnotherThread) {
    std::vector<void*> objects;
    for (int round = 0; round < 4; ++round) {
        std::thread([&] {
            for (int i = 0; i < 1000; ++i) objects.push_back(std::memset(allocate_small(96), round, 96));
        }).join();
        std::thread([&] {
            for (void* object : objects) free_small(object, 96);
            objects.clear();
        }).join();
    }
}

/// Frees and allocates when its thread has given back what it kept.
struct FreesAtItsEnd {
    void* object = nullptr;
    ~FreesAtItsEnd() {
        free_small(object, 64);
        free_small(allocate_small(64), 64);
    }
};

TEST(SmallObject, MayBeFreedWhenItsThreadEnds) {
    std::thread([] {
        static thread_local FreesAtItsEnd last;  // made before the lists, so destroyed after them
        last.object = allocate_small(64);
        free_small(allocate_small(64), 64);
    }).join();
}

}  // namespace
}  // namespace burn::small_object_test
