/** The cancelled ones to come and the past ones that the page shows. Source: docs/product.md, Limits. */
export const MAX_ROWS = 100;
