import { Form, type MiddlewareFunction, redirectDocument } from "react-router";
import { NarrowPage } from "../accounts/narrow-page.tsx";
import { findPendingErasure } from "../accounts/email/pending-erasure.server.ts";
import { getPersonPendingErasure, getPerson } from "../accounts/guards.server.ts";
import { flash } from "../accounts/sessions/flash.server.ts";
import { Button } from "../ui/button.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/cancel-erasure";
import { cancelOwnErasure } from "./request-own-erasure.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Keep your account?";
const DASHBOARD_PATH = "/dashboard";

/** Allows only sessions of accounts that are to be erased, which may open no other page. */
export const middleware: MiddlewareFunction<Response>[] = [
  async ({ context }, next) => {
    if (getPersonPendingErasure(context)) return next();
    throw redirectDocument(getPerson(context) ? DASHBOARD_PATH : "/login");
  },
];

function requirePendingErasure(context: Parameters<typeof getPersonPendingErasure>[0]) {
  const pending = getPersonPendingErasure(context);
  if (!pending) throw new Error("This route has no guard.");
  return pending;
}

export async function loader({ context }: Route.LoaderArgs) {
  const { person, eraseAfter } = requirePendingErasure(context);
  const pending = await findPendingErasure(person.id);
  return {
    firstName: person.firstName,
    when: formatPracticeDateTime(eraseAfter),
    isByPractice: pending?.isByPractice ?? false,
  };
}

export async function action({ context }: Route.ActionArgs) {
  const outcome = await cancelOwnErasure(requirePendingErasure(context).person);
  if (!outcome.ok) return redirectDocument("/login");
  flash(context, { title: "Your account stays" }, DASHBOARD_PATH);
  return redirectDocument(DASHBOARD_PATH);
}

export default function CancelErasure({ loaderData: { firstName, when, isByPractice } }: Route.ComponentProps) {
  const what = isByPractice
    ? `Your consultant has scheduled the deletion of your account. It is deleted on ${when}.`
    : `You asked us to delete your account, and we'll do so on ${when}.`;
  return (
    <NarrowPage heading={TITLE} lead={`Hello ${firstName}. ${what}`}>
      <PageMeta>{TITLE}</PageMeta>
      {isByPractice ? (
        <p>Didn't ask your consultant for this? Then keep your account, and call us.</p>
      ) : (
        <p>Didn't ask for this yourself? Then keep your account, choose a new password, and call us.</p>
      )}
      <p>If you keep it, everything is as you left it, but the canceled visits do not come back.</p>
      <Form method="post">
        <Button variant="primary" type="submit">
          Keep my account
        </Button>
      </Form>
      <Form method="post" action="/logout">
        <Button>Sign out, and let it be deleted</Button>
      </Form>
    </NarrowPage>
  );
}
