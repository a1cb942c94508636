/** Maximum number of upcoming canceled visits, and of past visits, on the page. Source: docs/product.md, Limits. */
export const MAX_PAST_OR_CANCELED_ROWS = 100;
