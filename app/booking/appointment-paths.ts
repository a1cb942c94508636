export const APPOINTMENTS_PATH = "/appointments";
export const NEW_APPOINTMENT_PATH = "/appointments/new";
/** Address where the schedule dialog saves its draft while it is being filled in. */
export const BOOKING_DRAFT_PATH = "/appointments/new/draft";
export const DISCARD_BOOKING_PATH = "/appointments/discard";
export const BOOKING_INTAKE_PATH = "/appointments/intake-form";
/** Page with the days that a family waits for and the freed times offered to it. */
export const WAITING_LIST_PATH = "/appointments/waiting-list";
export const PAYMENT_PATH = "/appointments/pay";
/** Address that redirects to the provider's payment page, and to which that page returns. */
export const HOSTED_CHECKOUT_PATH = "/appointments/pay/checkout";
export const PAYMENT_RETURN_PATH = "/appointments/pay/return";

/** Returns the path of the administrator's page of an appointment. */
export function appointmentDetailsPath(id: number): string {
  return `/dashboard/appointments/${id}`;
}

/** Returns the path of the dialog in which the administrator moves a visit. */
export function adminReschedulePath(id: number): string {
  return `${appointmentDetailsPath(id)}/reschedule`;
}

/** Returns the path for recording that a person without an account was notified of an appointment. */
export function manualNotificationPath(id: number): string {
  return `${appointmentDetailsPath(id)}/told`;
}

/** Returns the path of the form for a note about a family, set to the visit that the note is about. */
export function newNotePath(familyId: number, appointmentId: number): string {
  return `/families/${familyId}?visit=${appointmentId}#new-note`;
}

export function familyCancelPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/cancel`;
}

export function familyMovePath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/move`;
}

/** Returns the path of the confirmation page of a booked or moved appointment. */
export function bookingConfirmationPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/booked`;
}

/** Returns the path of the three questions before a visit. */
export function visitQuestionsPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/questions`;
}

export function appointmentDocumentsPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/documents`;
}

export function calendarFilePath(id: number): string {
  return `/api/appointments/${id}/calendar.ics`;
}

export const CALENDAR_LINK_PATH = "/dashboard/settings/calendar";

/** Returns the path of the feed that calendar programs read. The secret grants access. */
export function calendarFeedPath(secret: string): string {
  return `/calendar/${secret}.ics`;
}

export function videoCallPath(id: number): string {
  return `/video-call/${id}`;
}

/** Returns the path of the camera and microphone check, which is on the room's page until the room opens. */
export function deviceCheckPath(id: number): string {
  return `${videoCallPath(id)}#device-check`;
}

/** Returns the path of the page where a family claims an appointment with its link. */
export function claimPath(token: string): string {
  return `/claim-visit/${encodeURIComponent(token)}`;
}

/** Returns the path of the page where an invited family creates its account. */
export function invitationPath(token: string): string {
  return `/invitation/${encodeURIComponent(token)}`;
}

/**
 * Returns the path of the consultant's invitations. With `appointmentId`, the page invites the family of that visit,
 * which has no account yet.
 */
export function invitationsPath(appointmentId?: number): string {
  return `/families/invitations${appointmentId === undefined ? "" : `?appointment=${appointmentId}`}`;
}

type LaterVisit = { id: number; userId: number; date?: string; time?: string; from?: string };

/**
 * Returns the path of the page on which the administrator books for a family, filled in like the family's visit `id`.
 * `date` and `time` ("14:30") are wall time in the practice's time zone; `from` is the page to return to.
 */
export function adminBookNextVisitPath({ id, userId, ...more }: LaterVisit): string {
  return `/families/${userId}/appointments/new?${new URLSearchParams({ after: String(id), ...more })}`;
}

/** Limits the length of the return path, because every row of a list repeats it in its links. */
const MAX_RETURN_PATH_LENGTH = 540;

/**
 * Returns the query string that makes the administrator's dialogs return to `path` instead of the dashboard. Drops the
 * query of a path longer than MAX_RETURN_PATH_LENGTH.
 */
export function buildReturnPathQuery(path: string): string {
  const from = path.length > MAX_RETURN_PATH_LENGTH ? path.replace(/\?.*/s, "") : path;
  return `?${new URLSearchParams({ from })}`;
}

/** Path of the administrator's dialog with a family's submitted intake form. `returnQuery` as of `buildReturnPathQuery`, or empty. */
export function familyIntakeFormPath(familyId: number, returnQuery: string): string {
  return `/dashboard/intake-form?userId=${familyId}${returnQuery.replace("?", "&")}`;
}
