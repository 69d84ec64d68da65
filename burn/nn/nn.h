#pragma once

/// Every layer, activation, loss and initialiser.

#include <burn/nn/activation.h>
#include <burn/nn/batch_norm.h>
#include <burn/nn/conv.h>
#include <burn/nn/dropout.h>
#include <burn/nn/embedding.h>
#include <burn/nn/initializer.h>
#include <burn/nn/layer_norm.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/binary_cross_entropy.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/nn/loss/mse.h>
#include <burn/nn/pool.h>
#include <burn/nn/swi_glu.h>
