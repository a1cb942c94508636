import { logError } from "../http/errors.server.ts";

type AccessEndedHandler = (userId: number) => Promise<void>;

let accessEndedHandler: AccessEndedHandler = async () => {};

/** Registers the handler that closes the sockets of a person's sessions that have ended. */
export function setEndedSocketsHandler(handler: AccessEndedHandler): void {
  accessEndedHandler = handler;
}

/**
 * Closes the sockets that belong to sessions of this person which no longer exist, in every process. Call it after the
 * commit that deleted them. Never rejects: a failure is logged, and the sockets are closed by their periodic check.
 */
export async function closeEndedSockets(userId: number): Promise<void> {
  await accessEndedHandler(userId).catch((error: unknown) => logError(error, "/ws"));
}
