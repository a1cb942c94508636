/** A start that can't go on for a reason the operator can mend; its message is the whole story. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
