/** Minutes that a slot is held for a family after its last activity. Source: docs/product.md, Holding a time. */
export const HOLD_MINUTES = 15;
