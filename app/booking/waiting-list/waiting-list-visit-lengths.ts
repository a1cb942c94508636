/** The lengths for which services are sold (docs/product.md, Services and prices). */
export const WAITING_LIST_VISIT_MINUTES = [60, 90] as const;
