/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prepared objects of a key or curve. One thread uses an object at a time. To take an object from
 * the stock is cheaper than to make a new one. A thread that finds the stock empty makes an object,
 * and a thread that finds the stock full frees its object.
 */
#ifndef ACCEL_MODEL_PK_STOCK_H
#define ACCEL_MODEL_PK_STOCK_H

#include "base/util.h"

#define PK_STOCK_NB 4u

struct pk_stock {
	void *object[PK_STOCK_NB];
};

/** Take an object. NULL: the stock is empty. */
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
