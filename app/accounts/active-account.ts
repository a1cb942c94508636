/** Prisma filter for accounts that are neither closed nor to be erased. */
export const ACTIVE_ACCOUNT_CONDITION = { closedAt: null, eraseAfter: null } as const;
