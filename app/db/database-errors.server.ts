/**
 * The signs of an unreachable database: Prisma's codes, the kinds of its drivers (raw queries have one code for
 * everything), driver messages that Prisma passes on, and PostgreSQL's classes 08, 53 and 57 (connection, resources,
 * shutdown).
 */
const CONNECTION_ERRORS = {
  kinds: ["ConnectionClosed", "DatabaseNotReachable", "SocketTimeout", "TooManyConnections"],
  codes: ["P1001", "P1002", "P1008", "P1017", "P2028"],
  messages: /timeout|terminated/,
  sqlStates: /^(08|53|57)/,
};

/** Returns true if a unique value is already taken; with `field`, only if it is that field's. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  const cause = driverErrorCause(error);
  if (cause?.kind !== "UniqueConstraintViolation") return false;
  if (!field) return true;
  const { fields, index } = cause.constraint ?? {}; // SQLite names the fields, PostgreSQL the index
  return fields?.includes(field) || index?.endsWith(`_${field}_key`) || false;
}

/** Returns true if the database refused an appointment because it overlaps another one that is not canceled. */
export function isOverlapViolation(error: unknown): boolean {
  return driverErrorCause(error)?.originalMessage?.includes("appointments_no_overlap") ?? false;
}

/**
 * Returns true if the database could not be reached, or not in time. Such an error gets status 503, and a retry may
 * succeed.
 */
export function isConnectionError(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && CONNECTION_ERRORS.messages.test(error.message);
  const { kind = "", originalCode = "" } = driverErrorCause(error) ?? {};
  const isKnown = CONNECTION_ERRORS.codes.includes(code) || CONNECTION_ERRORS.kinds.includes(kind);
  return isKnown || CONNECTION_ERRORS.sqlStates.test(originalCode);
}

/** Returns true if the disk of the database is full; nothing was written then. */
export function isDiskFullError(error: unknown): boolean {
  const message = driverErrorCause(error)?.originalMessage ?? (error instanceof Error ? error.message : "");
  return /database or disk is full|SQLITE_FULL|No space left on device/.test(message);
}

interface DriverErrorCause {
  kind: string;
  originalCode?: string;
  originalMessage?: string;
  constraint?: { fields?: string[]; index?: string };
}

function driverErrorCause(error: unknown): DriverErrorCause | undefined {
  return (error as { meta?: { driverAdapterError?: { cause?: DriverErrorCause } } } | null)?.meta?.driverAdapterError
    ?.cause;
}

function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
