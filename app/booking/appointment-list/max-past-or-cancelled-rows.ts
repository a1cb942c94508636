/** The canceled ones to come and the past ones that the page shows. Source: docs/product.md, Limits. */
export const MAX_PAST_OR_CANCELLED_ROWS = 100;
