import { Form } from "react-router";
import { z } from "zod";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { CanceledVisitsWithRefunds, RetainedData } from "../data-rights/erasure-consequences.tsx";
import { familyExportPath } from "../data-rights/data-rights-paths.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import type { Route } from "./+types/delete-family";
import { AccountRefusalDialog, accountRefusalOrThrowNotFound } from "./account-refusal.tsx";
import { requestErasureByIdParam, describeErasure, previewFamilyErasureWithAudit } from "./family-erasure.server.ts";

const TITLE = "Delete this account?";
const NOT_FOUND_INIT = { status: 404, statusText: "Not Found" };
const NOT_DELETED = { title: "Not Deleted" };
const NOT_CONFIRMED_MESSAGE = "Check the box if this family’s account is to be deleted.";

const confirmationSchema = z.object({
  isSure: z.preprocess((value) => value === "on", z.literal(true, NOT_CONFIRMED_MESSAGE)),
});

export async function loader({ context, params }: Route.LoaderArgs) {
  const preview = await previewFamilyErasureWithAudit(requirePerson(context), params.id);
  return preview.ok ? { refusal: null, account: preview.value } : accountRefusalOrThrowNotFound(preview);
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const submission = await readForm(request, confirmationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, NOT_DELETED);
  const result = await requestErasureByIdParam(requirePerson(context), params.id);
  if (!result.ok && result.reason === "notFound") throw new Response(result.message, NOT_FOUND_INIT);
  if (!result.ok) return createFormErrorResponse(context, submission, result, NOT_DELETED);
  return redirectWithFlash(context, `/families/${params.id}`, {
    title: "Account will be deleted",
    description: describeErasure(await findFamilyName(parseId(params.id)), result.value),
  });
}

export default function DeleteFamily({ loaderData, actionData, params }: Route.ComponentProps) {
  const { account, refusal } = loaderData;
  if (!account)
    return <AccountRefusalDialog title={TITLE} message={refusal ?? ""} closeTo={`/families/${params.id}`} />;
  return <DeleteFamilyConfirmation preview={account} actionData={actionData} />;
}

type ErasurePreview = NonNullable<Route.ComponentProps["loaderData"]["account"]>;
type DeleteFamilyConfirmationProps = { preview: ErasurePreview; actionData: Route.ComponentProps["actionData"] };

/**
 * Explains what deleting a family's account means, in the same words that the family sees when it deletes its account,
 * and asks for confirmation.
 */
function DeleteFamilyConfirmation({ preview, actionData }: DeleteFamilyConfirmationProps) {
  const [form, fields] = useServerValidatedForm<Record<"isSure", string>>({ lastResult: actionData?.result });
  const { id, name, isClosed, visits, backups } = preview;
  const closeTo = `/families/${id}`;
  return (
    <RouteDialog title={TITLE} description={name} closeTo={closeTo}>
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>
        Only if the family asks for it, or you no longer need to keep its records. Still need a copy?{" "}
        <a href={familyExportPath(id)}>Download everything</a> first.
      </p>
      <h3>Right away</h3>
      <p>
        {isClosed
          ? "The account stays closed."
          : "The family is signed out on every device, and its calendar link ends."}{" "}
        {notificationText(preview)}
      </p>
      <CanceledVisitsWithRefunds visits={visits} />
      <ScheduledDeletion {...preview} />
      <RetainedData backups={backups} />
      <Form method="post" id={form.id} noValidate preventScrollReset className="grid gap-4">
        <CheckboxField field={fields.isSure} label={`Delete everything about ${name}`} />
        <div className="flex flex-wrap gap-3 pt-2">
          <LinkButton to={closeTo} preventScrollReset>
            Keep account
          </LinkButton>
          <Button variant="danger" busyText="Deleting…">
            Delete account
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}

function notificationText({ hasMail, visits }: ErasurePreview): string {
  if (!hasMail) return "We send no email: please tell the family.";
  return visits.length > 0
    ? "It is told by email of the deletion, and of each visit that is canceled."
    : "It is told by email.";
}

function ScheduledDeletion({ graceDays, eraseOn, isClosed, unconfirmedRequests, email }: ErasurePreview) {
  return (
    <>
      <h3>{graceDays > 0 ? `On ${eraseOn}` : "Within minutes"}</h3>
      <p>
        Everything about the family is deleted: its account, the intake form, visits, papers, requests, messages, and
        your notes. This can't be undone.
        {graceDays > 0 &&
          ` Until then ${isClosed ? "you can keep the account" : "it can sign in and keep its account, and you can keep it too"}, on this family's page. Canceled visits do not come back.`}
      </p>
      {unconfirmedRequests > 0 && (
        <p role="note" className="notice wrap-anywhere">
          {formatCountWithNoun(unconfirmedRequests, "consultation request")} came with {email}, which this family has
          not confirmed. They may be somebody else's, so they are not deleted with its account.
        </p>
      )}
    </>
  );
}
