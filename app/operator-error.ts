/** An error that the operator can fix. Its message is printed alone, without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
