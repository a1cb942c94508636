import { logError } from "../http/errors.server.ts";

type SessionsEndedHandler = (userId: number) => Promise<void>;

const sessionsEndedHandlers: SessionsEndedHandler[] = [];

/** Registers a handler that closes the open sockets and downloads of a person's ended sessions. */
export function registerSessionsEndedHandler(handler: SessionsEndedHandler): void {
  sessionsEndedHandlers.push(handler);
}

/**
 * Closes the sockets of this person's sessions that no longer exist, in every process, and their downloads in this
 * process. Call it after the commit that deleted the sessions. Never rejects: a failure is logged, and the periodic
 * check closes the rest.
 */
export async function closeConnectionsOfEndedSessions(userId: number): Promise<void> {
  for (const handle of sessionsEndedHandlers)
    await handle(userId).catch((error: unknown) => logError(error, "closing the connections of an ended session"));
}
