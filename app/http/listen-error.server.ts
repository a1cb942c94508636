import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";

/** An OperatorError that explains why `listen` failed, or the error itself if it is not a known one. */
export function explainListenError(error: unknown): unknown {
  const { port, host } = env;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new OperatorError(`PORT ${port} is in use on ${host}. End the program that has it, or set another PORT.`);
    case "EACCES":
      return new OperatorError(`PORT ${port} is not open to this account. Set a PORT above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new OperatorError(`HOST ${host} is no address of this machine.`);
    default:
      return error;
  }
}
