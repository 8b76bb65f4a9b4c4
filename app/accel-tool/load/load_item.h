/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Builds one operation of a load, judges it, and makes it ready to be sent again. Only load.c uses
 * this.
 */
#ifndef TOOL_LOAD_ITEM_H
#define TOOL_LOAD_ITEM_H

#include "load_state.h"

/** Make the memory of an operation. Returns false if there is not enough. */
bool load_item_init(struct load *l, struct load_item *it);
/** Fill an operation with a session, a layout and data that follow from its number. If that is not
 * possible, return false; l->first says why. */
bool load_item_build(struct load *l, struct load_item *it);
/** Judge an operation that came back, and make it ready for the next time. Returns false if it had
 * to be built anew and load_item_build() failed. */
bool load_item_take(struct load *l, struct load_item *it);
/** True if the device can do one of the choices. */
bool load_item_choice_works(struct load *l, const struct load_choice *c);

#endif /* TOOL_LOAD_ITEM_H */
