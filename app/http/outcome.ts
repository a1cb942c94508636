/** Why a command was refused. Each reason has one HTTP status (`HTTP_STATUS`). */
export type RefusalReason =
  | "malformed"
  | "unauthorized"
  | "declined"
  | "forbidden"
  | "notFound"
  | "conflict"
  | "gone"
  | "tooLarge"
  | "unsupported"
  | "invalid"
  | "tooMany"
  | "providerFailed"
  | "providerTimeout"
  | "unavailable"
  | "storageFull"
  | "failed";

export type FieldErrors = Record<string, string[]>;

export type Refusal = {
  ok: false;
  reason: RefusalReason;
  message: string;
  errors?: FieldErrors;
  retryAfterSeconds?: number;
};

export type Outcome<T> = { ok: true; value: T } | Refusal;

export const HTTP_STATUS = {
  malformed: 400,
  unauthorized: 401,
  declined: 402,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  gone: 410,
  tooLarge: 413,
  unsupported: 415,
  invalid: 422,
  tooMany: 429,
  failed: 500,
  providerFailed: 502,
  unavailable: 503,
  providerTimeout: 504,
  storageFull: 507,
} as const satisfies Record<RefusalReason, number>;

export function accepted<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function refused(reason: RefusalReason, message: string, errors?: FieldErrors): Refusal {
  return errors ? { ok: false, reason, message, errors } : { ok: false, reason, message };
}

/** Builds a refusal for one field. It is shown at the field and in the error summary. */
export function invalidField(field: string, message: string): Refusal {
  return refused("invalid", message, { [field]: [message] });
}
