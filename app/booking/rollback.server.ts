import { inTransaction, type Transaction } from "../db/database-client.server.ts";
import { isOverlapViolation } from "../db/database-errors.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { IN_THE_PAST_MESSAGE, SLOT_TAKEN_MESSAGE } from "./booking-rules.ts";

/** Thrown to roll back a transaction; carries the refusal to return. */
export class RollbackError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Rolls the transaction back if there is a refusal. */
export function rollbackIf(refusal: Refusal | null): void {
  if (refusal) throw new RollbackError(refusal);
}

/**
 * Runs `work` in a transaction. A refusal thrown by `rollbackIf` rolls the transaction back and becomes the outcome. An
 * overlap rejected by the database becomes `slotTakenRefusal`. Rethrows all other errors.
 */
export async function tryTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<Outcome<T>> {
  try {
    return accepted(await inTransaction(work));
  } catch (error) {
    if (error instanceof RollbackError) return error.refusal;
    if (isOverlapViolation(error)) return slotTakenRefusal();
    throw error;
  }
}

/** Returns the refusal for a time that overlaps another appointment or hold. */
export function slotTakenRefusal(): Refusal {
  return refused("conflict", SLOT_TAKEN_MESSAGE, { appointmentDate: [SLOT_TAKEN_MESSAGE] });
}

/** Checks whether a refusal means that the time is no longer available: another person has it, or it has begun. */
export function isSlotUnavailableRefusal({ reason, message }: Refusal): boolean {
  return (reason === "conflict" && message === SLOT_TAKEN_MESSAGE) || message === IN_THE_PAST_MESSAGE;
}
