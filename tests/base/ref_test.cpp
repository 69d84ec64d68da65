#include <burn/base/ref.h>

#include <gtest/gtest.h>

namespace burn::ref_test {
namespace {

struct Watched : Counted {
    explicit Watched(int& alive) : alive(alive) { ++alive; }
    ~Watched() override { --alive; }
    int& alive;
};
struct Derived final : Watched {
    using Watched::Watched;
};

TEST(Ref, TheLastOwnerDestroys) {
    int alive = 0;
    Ref<Watched> first = make_ref<Watched>(alive);
    EXPECT_TRUE(first->unique());
    {
        Ref<Watched> second = first;
        EXPECT_FALSE(first->unique());
        EXPECT_EQ(first, second);
        first = nullptr;
        EXPECT_TRUE(second->unique());
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
    EXPECT_FALSE(first);
}

TEST(Ref, MovesWithoutTouchingTheCount) {
    int alive = 0;
    Ref<Watched> first = make_ref<Watched>(alive);
    Ref<Watched> second = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_TRUE(second->unique());
    second = std::move(*&second);
    EXPECT_EQ(alive, 1);
}

TEST(Ref, ConvertsToItsBase) {
    int alive = 0;
    Ref<Watched> base = make_ref<Derived>(alive);
    EXPECT_TRUE(base->unique());
    base = Ref<Watched>();
    EXPECT_EQ(alive, 0);
}

TEST(Ref, DetachGivesThePointerAway) {
    int alive = 0;
    Ref<Watched> owner = make_ref<Watched>(alive);
    Watched* raw = owner.detach();
    EXPECT_FALSE(owner);
    EXPECT_EQ(alive, 1);
    raw->release();
    EXPECT_EQ(alive, 0);
    owner = make_ref<Watched>(alive);
    Ref<Watched> adopted = Ref<Watched>::adopt(owner.detach());
    EXPECT_TRUE(adopted->unique());
    adopted = nullptr;
    EXPECT_EQ(alive, 0);
}

TEST(Ref, AnObjectMayStartWithSeveralOwners) {
    int alive = 0;
    auto* object = new Derived(alive);
    object->start_with(2);
    {
        const Ref<Derived> first = Ref<Derived>::adopt(object);
        EXPECT_FALSE(first->unique());
    }
    EXPECT_EQ(alive, 1);
    EXPECT_TRUE(object->unique());
    object->release();
    EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace burn::ref_test
