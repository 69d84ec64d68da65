#pragma once

/// Every optimiser, gradient clipping, accumulation and learning-rate scheduler.

#include <burn/optim/ada_grad.h>
#include <burn/optim/adam.h>
#include <burn/optim/gradient_clipping.h>
#include <burn/optim/gradients_params.h>
#include <burn/optim/lr_scheduler.h>
#include <burn/optim/optimizer.h>
#include <burn/optim/rms_prop.h>
#include <burn/optim/sgd.h>
