export const APPOINTMENTS_PATH = "/appointments";
export const NEW_APPOINTMENT_PATH = "/appointments/new";
/** Where the schedule dialog is saved while it is filled in. */
export const BOOKING_DRAFT_PATH = "/appointments/new/draft";
export const DISCARD_BOOKING_PATH = "/appointments/discard";
export const BOOKING_INTAKE_PATH = "/appointments/intake-form";
/** The days that a family waits for, and the freed times that are offered to it. */
export const WAITING_LIST_PATH = "/appointments/waiting-list";
export const PAYMENT_PATH = "/appointments/pay";
/** The redirect to the provider's page, and the return from it. */
export const HOSTED_CHECKOUT_PATH = "/appointments/pay/checkout";
export const PAYMENT_RETURN_PATH = "/appointments/pay/return";

/** The administrator's page of an appointment. */
export function appointmentDetailsPath(id: number): string {
  return `/dashboard/appointments/${id}`;
}

/** Notes that somebody without an account was told of an appointment. */
export function manualNotificationPath(id: number): string {
  return `${appointmentDetailsPath(id)}/told`;
}

export function cancelAppointmentPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/cancel`;
}

export function familyMovePath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/move`;
}

/** The confirmation of a booked or moved appointment. */
export function bookingConfirmationPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/booked`;
}

/** The three questions before a visit. */
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

/** What a calendar program reads: the secret is the permission. */
export function calendarFeedPath(secret: string): string {
  return `/calendar/${secret}.ics`;
}

export function videoCallPath(id: number): string {
  return `/video-call/${id}`;
}

/** The check of camera and microphone, on the room's page until the room opens. */
export function deviceCheckPath(id: number): string {
  return `${videoCallPath(id)}#device-check`;
}

/** The page where a family claims an appointment with its link. */
export function claimPath(token: string): string {
  return `/claim-visit/${encodeURIComponent(token)}`;
}

/** The page where an invited family makes its account. */
export function invitationPath(token: string): string {
  return `/invitation/${encodeURIComponent(token)}`;
}

/** The consultant's invitations; for a visit without an account, whose family is to be invited. */
export function invitationsPath(appointmentId?: number): string {
  return `/families/invitations${appointmentId === undefined ? "" : `?appointment=${appointmentId}`}`;
}

type LaterVisit = { id: number; userId: number; date?: string; time?: string; from?: string };

/**
 * The page on which the administrator books for a family, filled in as visit `id` of that family was; `date` and `time`
 * ("14:30") are wall time of the practice, `from` is where the page returns to.
 */
export function bookNextPath({ id, userId, ...more }: LaterVisit): string {
  return `/families/${userId}/appointments/new?${new URLSearchParams({ after: String(id), ...more })}`;
}

/** Every row of a list repeats it in its links. */
const MAX_RETURN_PATH_LENGTH = 540;

/**
 * The query string with which the administrator's dialogs return to `path` instead of the dashboard. The query of
 * a path longer than MAX_RETURN_PATH_LENGTH is left out.
 */
export function returnQuery(path: string): string {
  const from = path.length > MAX_RETURN_PATH_LENGTH ? path.replace(/\?.*/s, "") : path;
  return `?${new URLSearchParams({ from })}`;
}
