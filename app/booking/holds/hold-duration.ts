/** How long a slot is held for a family from its last sign of work. Source: docs/product.md, Holding a time. */
export const HOLD_MINUTES = 15;
