import { Suspense } from "react";
import { useOutlet } from "react-router";
import { recordListRead } from "../audit/list-reads.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { formError } from "../accounts/form-error.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { getChosenService } from "../accounts/sessions/chosen-service.server.ts";
import { getSession } from "../accounts/sessions/session.server.ts";
import { markAllUploadsReviewed } from "../documents/review.server.ts";
import { now } from "../clock.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { markAllFormsReviewed } from "../intake/form-review.server.ts";
import { mailMode } from "../mail/transport.server.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import type { Route } from "./+types/dashboard";
import { adminOverview } from "./admin/admin-overview.server.ts";
import { loadCalendarPage } from "./calendar/calendar.server.ts";
import { clientOverview } from "./client/client-overview.server.ts";
import { calendarBehindDialog } from "./return-path.ts";
import { reviewedSchema } from "./schemas.ts";

/**
 * The dashboard: the client's or the administrator's, by role. Behind a dialog that the administrator opened from the
 * calendar it is the calendar.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const calendarQuery = person.isAdmin ? calendarBehindDialog(url) : null;
  if (calendarQuery) {
    await recordListRead();
    return { face: "calendar" as const, data: await loadCalendarPage(person, calendarQuery) };
  }
  return person.isAdmin
    ? { face: "admin" as const, ...(await adminOverview(person, url.searchParams)) }
    : {
        face: "client" as const,
        firstName: person.firstName,
        isFirstVisit: getSession(context)?.data.isFirst ?? false,
        ...(await clientOverview(person, getChosenService(context))),
        needsEmailConfirmation: mailMode !== "none" && getSession(context)?.emailConfirmedAt === null,
        leftVisitId: parseId(url.searchParams.get("left") ?? ""),
      };
}

/** Marks the documents and intake forms that came in until the dashboard was loaded as read. For the administrator. */
export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const submission = await readForm(request, reviewedSchema);
  if (submission.status !== "success") return formError(context, submission, null, { title: "Nothing was marked" });
  // What comes in after this moment has been read by nobody.
  const until = new Date(Math.min(submission.value.until.getTime(), now().getTime()));
  const refusal = (await markAllUploadsReviewed(person, until)) ?? (await markAllFormsReviewed(person, until));
  if (refusal) return formError(context, submission, refusal, { title: "Nothing was marked" });
  return redirectWithFlash(context, "/dashboard", { title: "Documents and forms marked as read" });
}

/** Each dashboard is loaded on demand, so that families don't download the administrator's lists. */
const AdminDashboard = lazyComponent(async () => (await import("./admin/admin-dashboard.tsx")).AdminDashboard);
const ClientDashboard = lazyComponent(async () => (await import("./client/client-dashboard.tsx")).ClientDashboard);

const CalendarPage = lazyComponent(async () => (await import("./calendar/calendar-page.tsx")).CalendarPage);

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  if (loaderData.face === "calendar")
    return (
      <Suspense>
        <CalendarPage data={loaderData.data} dialog={dialog} />
      </Suspense>
    );
  return (
    <Suspense>
      {loaderData.face === "admin" ? (
        <AdminDashboard overview={loaderData} />
      ) : (
        <ClientDashboard overview={loaderData} />
      )}
    </Suspense>
  );
}
