/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prepared objects of a key or curve, each of which one thread uses at a time. To take one from the
 * stock is cheaper than to make one. Who finds the stock empty makes one, and who finds it full
 * frees it.
 */
#ifndef ACCEL_MODEL_PK_STOCK_H
#define ACCEL_MODEL_PK_STOCK_H

#include "base/util.h"

#define PK_STOCK_NB 4u

struct pk_stock {
	void *object[PK_STOCK_NB];
};

/** Take an object. NULL: there is none. */
static inline void *
pk_stock_take(struct pk_stock *stock)
{
	void *object = NULL;

	for (unsigned int i = 0; i < PK_STOCK_NB && object == NULL; i++)
		object = __atomic_exchange_n(&stock->object[i], NULL, __ATOMIC_ACQUIRE);
	return object;
}

/** Give an object back. False: there is no room, and the caller frees it. */
static inline bool
pk_stock_put(struct pk_stock *stock, void *object)
{
	for (unsigned int i = 0; i < PK_STOCK_NB; i++) {
		void *none = NULL;

		if (__atomic_compare_exchange_n(&stock->object[i], &none, object, false,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

#endif /* ACCEL_MODEL_PK_STOCK_H */
