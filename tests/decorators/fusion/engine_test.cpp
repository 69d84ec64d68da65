// Whom `sync` tells of which error.
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/tensor/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

namespace burn::fusion::engine_test {
namespace {

using ::testing::HasSubstr;
using T1 = Tensor<Cpu, 1>;

class FusionSync : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
        device.sync();
    }

    /// A tensor whose computation fails, with `index` in the error.
    T1 broken(std::int64_t index) const {
        return T1::arange(0, 4, device).select(0, Tensor<Cpu, 1, Int>::from_data(TensorData::from({index}), device));
    }
    /// What `sync` raises; empty when it raises nothing.
    std::string error_of_sync() const {
        try {
            device.sync();
            return {};
        } catch (const IndexError& error) {
            return error.what();
        }
    }

    Device<Cpu> device;
};

TEST_F(FusionSync, RaisesAnErrorThatNobodyHasSeenOnce) {
    const T1 y = broken(70);
    EXPECT_THAT(error_of_sync(), HasSubstr("70"));
    EXPECT_EQ(error_of_sync(), "");
    EXPECT_THROW(y.to_data(), IndexError) << "the tensor keeps its error";
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, IsSilentAboutAnErrorThatAReadRaised) {
    EXPECT_THROW(broken(71).to_data(), IndexError);
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, IsSilentAboutWhatIsMadeOfATensorWhoseErrorWasSeen) {
    const T1 y = broken(72);
    EXPECT_THROW(y.to_data(), IndexError);
    const T1 also = y * 2.0f;
    EXPECT_EQ(error_of_sync(), "");
    EXPECT_THROW(also.to_data(), IndexError);
}

TEST_F(FusionSync, RaisesTheErrorBesideOneThatWasSeen) {
    const T1 first = broken(73), second = broken(74);
    EXPECT_THROW(first.to_data(), IndexError);  // runs both
    EXPECT_THAT(error_of_sync(), HasSubstr("74"));
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, RaisesTheFirstOfSeveralAndIsDoneWithAllOfThem) {
    const T1 first = broken(75), second = broken(76);
    EXPECT_THAT(error_of_sync(), HasSubstr("75"));
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, IsSilentAboutAnErrorThatAnotherThreadHandled) {
    std::thread([&] { EXPECT_THROW(broken(77).to_data(), IndexError); }).join();
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, RaisesWhatAThreadLeftBehindUnseen) {
    T1 left = T1::arange(0, 1, device);
    std::thread([&] { left = broken(78); }).join();
    EXPECT_EQ(T1::arange(0, 4, device).sum().into_scalar<double>(), 6);
    std::thread([&] { EXPECT_EQ(T1::arange(0, 3, device).sum().into_scalar<double>(), 3); }).join();
    EXPECT_THAT(error_of_sync(), HasSubstr("78"));
    EXPECT_EQ(error_of_sync(), "");
}

TEST_F(FusionSync, LeavesAThreadThatLivesItsErrors) {
    std::promise<void> recorded, synced;
    std::string own;
    std::thread other([&] {
        const T1 y = broken(79);
        recorded.set_value();
        synced.get_future().wait();
        own = error_of_sync();
    });
    recorded.get_future().wait();
    EXPECT_EQ(error_of_sync(), "") << "runs what the other thread recorded, but the error is the other's";
    synced.set_value();
    other.join();
    EXPECT_THAT(own, HasSubstr("79"));
    EXPECT_EQ(error_of_sync(), "");
}

}  // namespace
}  // namespace burn::fusion::engine_test
