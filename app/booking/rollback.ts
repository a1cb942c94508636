import type { Refusal } from "../http/outcome.ts";

/** Undoes a transaction; what it carries is an expected outcome, not a failure. */
export class RollbackError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Leaves a transaction, undone, where there is a reason to. */
export function rollbackIf(refusal: Refusal | null): void {
  if (refusal) throw new RollbackError(refusal);
}
