import { Form } from "react-router";
import { readForm } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { requirePerson } from "../guards.server.ts";
import { deviceIdSchema } from "../account-schemas.ts";
import { authorizeDeviceSignOut } from "../step-up/authorize-device-sign-out.server.ts";
import { saveFormAndBuildConfirmRedirect } from "../step-up/recent-authentication.server.ts";
import type { Route } from "./+types/signed-in-devices";
import { signOutDevice, listSignedInDevices } from "./signed-in-devices.server.ts";
import { redirectWithFlash } from "./flash.server.ts";
import { getPossiblyRestrictedSession } from "./session.server.ts";

const TITLE = "Signed-in devices";
const PATH = "/dashboard/settings/devices";
const FORM_ERROR_OPTIONS = { title: "Not Signed Out" };

export async function loader({ context }: Route.LoaderArgs) {
  return {
    devices: await listSignedInDevices(requirePerson(context), getPossiblyRestrictedSession(context)?.sid ?? ""),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const submission = await readForm(request, deviceIdSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const { id } = submission.value;
  if (!(await authorizeDeviceSignOut(context, id)))
    throw await saveFormAndBuildConfirmRedirect(context, { request, url, form: new FormData() });
  const outcome = await signOutDevice(requirePerson(context), id);
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  return redirectWithFlash(context, PATH, { title: "Device Signed Out" });
}

export default function SignedInDevices({ loaderData, actionData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const [form] = useServerValidatedForm({ lastResult: actionData?.result });
  return (
    <RouteDialog title={TITLE} closeTo="/dashboard/settings">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>Don't recognize one of these? Sign it out, then change your password.</p>
      <ul className="rows">
        {loaderData.devices.map(({ id, current, device, createdAt, lastSeenAt }) => (
          <li key={id} className="row">
            <div className="min-w-0 flex-1 basis-56">
              <p className="flex flex-wrap items-center gap-2">
                <strong>{device}</strong>
                {current && <Badge color="green">This device</Badge>}
              </p>
              <p className="text-sm text-muted">
                Last used <ZonedTime instant={lastSeenAt} zone={timeZone} inSentence />
              </p>
              <p className="text-sm text-muted">
                Signed in <ZonedTime instant={createdAt} zone={timeZone} inSentence />
              </p>
            </div>
            {current ? (
              <Form method="post" action="/logout" reloadDocument>
                <Button aria-label="Sign out this device">Sign out</Button>
              </Form>
            ) : (
              <Form method="post" action={PATH} preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <Button busyText="Signing out…" aria-label={`Sign out ${device}`}>
                  Sign out
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </RouteDialog>
  );
}
