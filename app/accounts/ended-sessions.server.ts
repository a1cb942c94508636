import { logError } from "../http/errors.server.ts";

type SessionsEndedHandler = (userId: number) => Promise<void>;

const sessionsEndedHandlers: SessionsEndedHandler[] = [];

/** Registers a handler that closes open sockets and downloads of a person's ended sessions. */
export function registerSessionsEndedHandler(handler: SessionsEndedHandler): void {
  sessionsEndedHandlers.push(handler);
}

/**
 * Closes the sockets that belong to sessions of this person which no longer exist, in every process, and their
 * downloads in this one. Call it after the commit that deleted them. Never rejects: a failure is logged, and the rest
 * is closed by its periodic check.
 */
export async function closeConnectionsOfEndedSessions(userId: number): Promise<void> {
  for (const handle of sessionsEndedHandlers)
    await handle(userId).catch((error: unknown) => logError(error, "closing what an ended session has open"));
}
