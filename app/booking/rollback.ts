import type { Refusal } from "../http/outcome.ts";

/** Thrown to roll back a transaction; carries the refusal to return. */
export class RollbackError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Rolls the transaction back when there is a refusal. */
export function rollbackIf(refusal: Refusal | null): void {
  if (refusal) throw new RollbackError(refusal);
}
