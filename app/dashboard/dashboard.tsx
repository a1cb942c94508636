import { Suspense } from "react";
import { useOutlet } from "react-router";
import { isEmailUnconfirmed } from "../accounts/email/unconfirmed-email.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import type { Person } from "../accounts/person.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { getChosenService } from "../accounts/sessions/chosen-service.server.ts";
import { getPossiblyRestrictedSession } from "../accounts/sessions/session.server.ts";
import { sharedFollowUpSchema } from "../booking/follow-ups/follow-up-schema.ts";
import { changeFollowUpByFamily } from "../booking/follow-ups/follow-ups.server.ts";
import { markUploadsReviewed } from "../documents/document-review.server.ts";
import { now } from "../clock.ts";
import { parseId } from "../http/field-schemas.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import { markIntakeFormsReviewed } from "../intake/intake-form-review.server.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import type { Route } from "./+types/dashboard";
import { loadAdminOverview } from "./admin/admin-overview.server.ts";
import { loadClientOverview } from "./client/client-overview.server.ts";
import { loadPageBehindDialog } from "./page-behind-dialog.server.ts";
import { markAsReadSchema } from "./mark-as-read-schema.ts";

type Context = Route.ActionArgs["context"];

/**
 * Loads the client's or the administrator's dashboard. If the administrator opened a dialog from another page, loads
 * that page instead, because it stays behind the dialog.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const behind = person.isAdmin ? await loadPageBehindDialog(person, url) : null;
  if (behind) return { view: "behind" as const, behind };
  return person.isAdmin
    ? { view: "admin" as const, ...(await loadAdminOverview(person, url.searchParams)) }
    : {
        view: "client" as const,
        firstName: person.firstName,
        isFirstVisit: getPossiblyRestrictedSession(context)?.data.isFirst ?? false,
        ...(await loadClientOverview(person, {
          chosenService: getChosenService(context),
          needsEmailConfirmation: isEmailUnconfirmed(context),
        })),
        leftVisitId: parseId(url.searchParams.get("left") ?? ""),
      };
}

/** The buttons in the lists of both dashboards. */
export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readNamedFormFields(request, [
    ...fieldNames(markAsReadSchema),
    ...fieldNames(sharedFollowUpSchema),
  ]);
  return form.has("followUp")
    ? handleSharedFollowUpForm(context, form, person)
    : handleMarkAsReadForm(context, form, person);
}

/** Marks a follow-up that the consultant shared with the family as done, or opens it again. */
async function handleSharedFollowUpForm(context: Context, form: FormData, person: Person) {
  const submission = parseForm(form, sharedFollowUpSchema);
  const title = "Nothing was changed";
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, { title });
  const result = await changeFollowUpByFamily(person, submission.value);
  if (!result.ok) return createFormErrorResponse(context, submission, result, { title });
  return redirectWithFlash(
    context,
    "/dashboard",
    submission.value.intent === "done"
      ? { title: "Marked as done", description: "Your consultant can see that, too." }
      : { title: "It's back on your list" },
  );
}

/** Marks listed documents or intake forms as read, in the state that the dashboard showed. For the administrator. */
async function handleMarkAsReadForm(context: Context, form: FormData, person: Person) {
  const submission = parseForm(form, markAsReadSchema);
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, { title: "Nothing was marked" });
  // Nothing that arrives after this moment is marked, because nobody has read it.
  const { document, formOf, ...sent } = submission.value;
  const until = new Date(Math.min(sent.until.getTime(), now().getTime()));
  const refusal =
    (await markUploadsReviewed(person, document, until)) ?? (await markIntakeFormsReviewed(person, formOf, until));
  if (refusal) return createFormErrorResponse(context, submission, refusal, { title: "Nothing was marked" });
  return redirectWithFlash(context, "/dashboard", {
    title: `${document.length > 0 ? formatCountWithNoun(document.length, "document") : formatCountWithNoun(formOf.length, "intake form")} marked as read`,
  });
}

/** Each dashboard is loaded on demand, so that families don't download the administrator's lists. */
const AdminDashboard = lazyComponent(async () => (await import("./admin/admin-dashboard.tsx")).AdminDashboard);
const ClientDashboard = lazyComponent(async () => (await import("./client/client-dashboard.tsx")).ClientDashboard);
const PageBehindDialog = lazyComponent(async () => (await import("./page-behind-dialog.tsx")).PageBehindDialog);

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  if (loaderData.view === "behind")
    return (
      <Suspense>
        <PageBehindDialog pageData={loaderData.behind} dialog={dialog} />
      </Suspense>
    );
  return (
    <Suspense>
      {loaderData.view === "admin" ? (
        <AdminDashboard overview={loaderData} />
      ) : (
        <ClientDashboard overview={loaderData} />
      )}
    </Suspense>
  );
}
