import { createHash } from "node:crypto";
import { index, layout, prefix, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";

/** Ids by which react-router.config.ts finds these layouts in the manifest. */
export const STATIC_PAGES_ID = "static-pages";
export const API_ID = "api";
const ID_LENGTH = 3;

/** Returns the API routes of one folder. Each endpoint in its api.ts specifies who may call it. */
function apiRoutes(file: string, paths: string[]) {
  return paths.map((path) => route(path, file, { id: path }));
}

/**
 * Gives each route without an id a short one, from its URL or, for a layout, from its file and the URL of its first page.
 * The manifest names each route and its parent by id, and the default ids, which are file paths, make it a seventh
 * larger. An open tab of an earlier release asks for data by these ids, so that new routes must not shift them.
 */
function assignShortIds(routes: RouteConfigEntry[], parentPath = ""): RouteConfigEntry[] {
  return routes.map((entry) => {
    const path = [parentPath, entry.path].filter(Boolean).join("/");
    const isLayout = entry.path === undefined && !entry.index;
    const key = isLayout ? `${path} ${entry.file} ${firstPath(entry)}` : `${path} ${entry.index ?? false}`;
    const id = entry.id ?? createHash("sha256").update(key).digest("base64url").slice(0, ID_LENGTH);
    return { ...entry, id, ...(entry.children && { children: assignShortIds(entry.children, path) }) };
  });
}

function firstPath({ path, children = [] }: RouteConfigEntry): string {
  const [first] = children;
  return path ?? (first ? firstPath(first) : "");
}

// Routes within the signed-in layout require a signed-in person. Those within a step-up layout ask for the password or
// code again, as do the actions that call `requireRecentAuthentication`. Every other route has its own guard or is
// public: tests/architecture.unit.test.ts lists the permitted ones.
export default assignShortIds([
  layout("practice/unhydrated-layout.tsx", { id: STATIC_PAGES_ID }, [
    index("dashboard/public-home/public-home.tsx"),
    route("login", "accounts/login.tsx"),
    route("login/code", "accounts/second-factor/sign-in-code.tsx"),
    route("login/passkey", "accounts/passkeys/sign-in-with-passkey.tsx"),
    // Their own guards also admit an administrator who still has to set up the second factor.
    route("second-factor", "accounts/second-factor/second-factor-settings.tsx"),
    route("passkeys", "accounts/passkeys/passkeys-page.tsx"),
    route("register", "accounts/register.tsx"),
    route("reset-password/:token", "accounts/passwords/reset-password.tsx"),
    route("forgot-password", "accounts/passwords/forgot-password.tsx"),
    route("confirm-email/:token", "accounts/email/confirm-email.tsx"),
    route("undo-email-change/:token", "accounts/email/undo-email-change.tsx"),
    route("unsubscribe/:token", "accounts/email/unsubscribe.tsx"),
    route("logout", "accounts/logout.ts"),
    route("account-deleted", "data-rights/account-deleted.tsx"),
    // Its own guard admits only a family whose account is about to be erased.
    route("keep-account", "data-rights/cancel-erasure.tsx"),
    route("claim-visit/:token", "booking/claims/claim-appointment.tsx"),
    route("invitation/:token", "booking/invitations/invitation.tsx"),
    route("request-consultation", "consultation-requests/consultation-request-form.tsx"),
    route("legal-request", "compliance/legal-request.tsx"),
    route("comfort", "accounts/display-preferences-page.tsx"),
    route("hipaa-compliance", "practice/legal/hipaa-compliance.tsx"),
    route("privacy-policy", "practice/legal/privacy-policy.tsx"),
    route("terms-of-service", "practice/legal/terms-of-service.tsx"),
    route("accessibility", "practice/legal/accessibility-statement.tsx"),
    route("simulated-checkout/:id", "payments/simulated-checkout.tsx"),
  ]),

  // Calendar programs have no session. The secret in the address authorizes the request.
  route("calendar/:file", "booking/feed/calendar-feed-download.ts"),

  layout("accounts/signed-in-layout.tsx", [
    route("dashboard", "dashboard/dashboard.tsx", [
      route("settings", "dashboard/account-settings.tsx"),
      route("settings/calendar", "booking/feed/calendar-link.tsx"),
      route("settings/devices", "accounts/sessions/signed-in-devices.tsx"),
      layout("accounts/family-only-layout.tsx", [
        route("settings/data", "data-rights/your-data.tsx"),
        route("settings/delete-account", "data-rights/delete-account.tsx"),
      ]),
      route("profile", "dashboard/edit-profile.tsx"),
      route("intake-form", "dashboard/intake-form-dialog.tsx"),
      layout("accounts/admin-only-layout.tsx", [
        route("calendar", "dashboard/calendar/admin-agenda-dialog.tsx"),
        route("requests/:id/schedule", "dashboard/scheduling/schedule-consultation-request.tsx"),
        route("requests/:id/delete", "dashboard/delete-consultation-request.tsx"),
        route("appointments/:id", "dashboard/appointment/appointment-details.tsx"),
        route("appointments/:id/reschedule", "dashboard/scheduling/reschedule.tsx"),
        route("appointments/:id/claim-link", "dashboard/appointment/claim-link.tsx"),
        route("appointments/:id/told", "dashboard/appointment/mark-notified-route.ts"),
        route("appointments/:id/after", "dashboard/appointment/record-visit-outcome.tsx"),
        route("appointments/:id/cancel", "dashboard/appointment/cancel-appointment.tsx"),
        route("appointments/:id/delete", "dashboard/appointment/delete-appointment.tsx"),
        route("appointments/:id/payment", "dashboard/appointment/appointment-payment.tsx"),
        layout("accounts/step-up/step-up-layout.tsx", [
          route("reset-link", "dashboard/create-password-reset-link.tsx"),
        ]),
        layout("accounts/step-up/step-up-layout.tsx", [
          route("requests/:id/erase", "dashboard/erase-consultation-request.tsx"),
        ]),
      ]),
    ]),
    layout("accounts/admin-only-layout.tsx", [
      route("dashboard/latest", "dashboard/admin/admin-overview-data-route.ts"),
      route("dashboard/waiting", "dashboard/waiting-room-data-route.ts"),
      route("calendar", "dashboard/calendar/calendar.tsx"),
      route("calendar/new", "dashboard/calendar/choose-client.tsx"),
      route("calendar/hours", "dashboard/calendar/hours-overrides.tsx"),
      route("calendar/weekly-hours", "dashboard/calendar/weekly-hours.tsx"),
      route("consultant-profile", "dashboard/consultant-profile/consultant-profile.tsx"),
      route("practice-details", "dashboard/practice-details/practice-details.tsx"),
      route("outbox", "messages/outbox.tsx"),
      route("outbox/:id", "messages/outbox-message-html.ts"),
      route("mail-wording", "messages/wording/wording-list.tsx"),
      route("mail-wording/:name", "messages/wording/edit-wording.tsx"),
      route("mail-wording/:name/preview", "messages/wording/wording-preview.ts"),
      route("activity", "dashboard/access-log/admin-access-log.tsx"),
      route("system-status", "dashboard/system/system-status.tsx"),
      route("money", "checkout/billing/billing-overview.tsx"),
      layout("accounts/step-up/step-up-layout.tsx", [route("money.csv", "checkout/billing/ledger-csv.ts")]),
      route("requests", "consultation-requests/consultation-request-list.tsx"),
      layout("accounts/step-up/step-up-layout.tsx", [
        route("requests/:id/everything.json", "data-rights/consultation-request-export-route.ts"),
      ]),
      route("requests/new", "consultation-requests/record-phone-request.tsx"),
      route("compliance", "compliance/compliance-case-list.tsx"),
      route("compliance/new", "compliance/new-compliance-case.tsx"),
      route("compliance/:id", "compliance/compliance-case.tsx"),
      route("search", "dashboard/search/search.tsx"),
      route("families", "families/families-list.tsx"),
      route("families/invitations", "dashboard/invitations/invitations.tsx"),
      layout("accounts/step-up/step-up-layout.tsx", [
        route("families/:id/everything.zip", "data-rights/family-export-route.ts"),
      ]),
      route("families/:id", "families/family-route.tsx", [
        route("appointments/new", "dashboard/scheduling/book-for-family.tsx"),
        route("documents/new", "documents/upload/upload-document.tsx", { id: "upload-for-family" }),
        layout("accounts/step-up/step-up-layout.tsx", [route("close", "families/close-family-account.tsx")]),
        route("open", "families/reopen-family-account.tsx"),
        layout("accounts/step-up/step-up-layout.tsx", [route("end-undo-link", "families/end-undo-link.tsx")]),
        layout("accounts/step-up/step-up-layout.tsx", [route("delete", "families/delete-family.tsx")]),
        route("keep", "families/cancel-family-erasure.tsx"),
        route("follow-ups/new", "families/new-follow-up.tsx"),
        route("follow-ups/:followUp/delete", "families/delete-follow-up.tsx"),
        route("notes/:note/edit", "families/edit-note.tsx"),
        route("notes/:note/delete", "families/delete-note.tsx"),
        route("consents/:consent", "families/signed-consent.tsx"),
        route("consents/:consent/withdraw", "families/withdraw-family-consent.tsx"),
      ]),
    ]),
    layout("accounts/step-up/step-up-layout.tsx", [route("change-email", "accounts/email/change-email.tsx")]),
    route("confirm-identity", "accounts/step-up/confirm-identity.tsx"),
    route("messages", "messages/messages.tsx"),
    route("intake-form.txt", "intake/intake-text-download.ts"),
    route("intake-form/changes", "intake/intake-changes-page.tsx"),
    route("stay-signed-in", "accounts/sessions/session-keepalive.ts"),
    layout("accounts/family-only-layout.tsx", [
      route("more", "dashboard/client/overflow-menu-page.tsx"),
      route("appointments/waiting-list", "booking/waiting-list/waiting-list.tsx"),
      route("appointments/:id/questions", "booking/visit-answers/visit-questions.tsx"),
      route("appointments/:id/booked", "booking/confirmation/booking-confirmation.tsx"),
      route("appointments/new/draft", "booking/booking-dialog/save-booking-draft.ts"),
      route("receipts", "checkout/receipt-list.tsx"),
      route("accept-terms", "accounts/terms/accept-terms.tsx"),
      route("consents", "consents/consents-list.tsx"),
      route("consents/:document", "consents/consent.tsx"),
      layout("accounts/step-up/step-up-layout.tsx", [
        route("everything-about-us.zip", "data-rights/own-export-route.ts"),
      ]),
      route("access-log", "accounts/access-log/family-access-log.tsx"),
      route("appointments", "booking/appointment-list/appointments.tsx", [
        route("new", "booking/new-booking.tsx"),
        route("intake-form", "booking/booking-intake-dialog.tsx"),
        route("discard", "booking/resume/discard-booking.tsx"),
        route("pay", "checkout/pay.tsx"),
        route("pay/checkout", "checkout/hosted-redirect.tsx"),
        route("pay/return", "checkout/hosted-return.tsx"),
        route(":id/move", "booking/move/move-own-appointment.tsx"),
        route(":id/cancel", "checkout/cancellation/cancel-own-appointment.tsx"),
        route(":id/documents", "dashboard/client/appointment-documents-dialog.tsx"),
      ]),
    ]),
    route("documents", "documents/documents-page.tsx", [
      route("new", "documents/upload/upload-document.tsx"),
      route("intake-form", "documents/own-intake-form-dialog.tsx"),
      route(":id/delete", "documents/delete-document.tsx"),
      layout("accounts/admin-only-layout.tsx", [route(":id/sharing", "documents/set-document-sharing.ts")]),
    ]),
    route("documents/intake-form/download", "documents/download/intake-download-redirect.ts"),
    route("documents/archive.zip", "documents/download/documents-zip-download.ts"),
    route("receipts/:id", "checkout/receipt.tsx"),
    route("invoices/:id", "checkout/billing/invoice.tsx"),
    route("video-call/:appointmentId", "video/video-call.tsx"),
    route("video-call/:appointmentId/connection", "video/ice-servers-route.ts"),
    route("video-call/:appointmentId/family", "video/consultant-panel-route.ts"),
  ]),

  layout(
    "http/api-layout.ts",
    { id: API_ID },
    prefix("api", [
      ...apiRoutes("accounts/api.ts", [
        "auth/me",
        "auth/register",
        "auth/login",
        "auth/logout",
        "auth/change-password",
        "auth/second-factor",
        "auth/second-factor/confirm",
        "auth/sessions",
        "auth/sessions/:id",
        "auth/forgot-password",
        "auth/reset-password",
        "auth/confirm-email",
        "users/:id",
        "me/access-log",
      ]),
      ...apiRoutes("accounts/passkeys/api.ts", [
        "auth/passkey-options",
        "auth/passkey-login",
        "auth/passkeys",
        "auth/passkeys/options",
        "auth/passkeys/:id",
      ]),
      ...apiRoutes("booking/api.ts", [
        "appointments",
        "appointments/availability",
        "appointments/in-person",
        "appointments/:id/calendar.ics",
        "calendar-feed",
      ]),
      ...apiRoutes("consultation-requests/api.ts", [
        "appointments/from-consultation",
        "consultation-requests",
        "consultation-requests/:id",
      ]),
      ...apiRoutes("intake/api.ts", ["intake-form/check", "intake-forms"]),
      ...apiRoutes("documents/api.ts", ["documents", "documents/:id", "documents/:id/download"]),
      ...apiRoutes("checkout/api.ts", ["appointments/:id", "payments/config", "payments/process", "payments/webhook"]),
      ...apiRoutes("data-rights/api.ts", ["me", "me/keep", "me/export"]),
      route("*", "accounts/api-not-found.ts"),
    ]),
  ),

  route("*", "practice/not-found.tsx"),
] satisfies RouteConfig) satisfies RouteConfig;
