import { data, Form, redirectDocument } from "react-router";
import { NarrowPage } from "../../accounts/narrow-page.tsx";
import { BrokenLinkPage } from "../../accounts/links/broken-link-page.tsx";
import { getPerson } from "../../accounts/guards.server.ts";
import { getLinkSource } from "../../accounts/links/rate-limited-link-lookup.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { setRetryAfter } from "../../accounts/sessions/session.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/claim-appointment";
import { claimPath, APPOINTMENTS_PATH } from "../appointment-paths.ts";
import { checkClaimLink, claimAppointment } from "./claims.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

export const handle: PageHandle = { unhydrated: true };

export async function loader({ params, context }: Route.LoaderArgs) {
  const link = await checkClaimLink(params.token, getLinkSource(context));
  if (!link.ok) {
    setRetryAfter(context, link.retryAfterSeconds);
    return data({ refusal: link.message, signIn: null }, { status: HTTP_STATUS[link.reason] });
  }
  const redirectQuery = `?redirectTo=${encodeURIComponent(claimPath(params.token))}`;
  const signInLinks = getPerson(context)
    ? null
    : { login: `/login${redirectQuery}`, register: `/register${redirectQuery}` };
  return data({ refusal: null, signIn: signInLinks });
}

export async function action({ params, context }: Route.ActionArgs) {
  const person = getPerson(context);
  if (!person) return redirectDocument(`/login?redirectTo=${encodeURIComponent(claimPath(params.token))}`);
  const claimed = await claimAppointment(person, params.token, getLinkSource(context));
  if (!claimed.ok) {
    setRetryAfter(context, claimed.retryAfterSeconds);
    return data({ refusal: claimed.message }, { status: HTTP_STATUS[claimed.reason] });
  }
  const { title, appointmentDate } = claimed.value;
  const description = `${title}, ${formatPracticeDateTime(appointmentDate)}, is in your account now.`;
  return redirectWithFlash(context, APPOINTMENTS_PATH, { title: "Visit Added", description }, true);
}

const TITLE = "Add a visit to your account";

export default function ClaimAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { person, practice } = useSite();
  const refusal = actionData?.refusal ?? loaderData.refusal;
  if (refusal)
    return (
      <BrokenLinkPage title="This link does not work" reason={refusal} back={{ text: "Back to homepage", href: "/" }} />
    );
  const { signIn } = loaderData;
  const lead = `${practice.name} gave you this link for a visit that was made for your family.`;
  return (
    <NarrowPage heading={TITLE} lead={lead}>
      <PageMeta>{TITLE}</PageMeta>
      {signIn ? (
        <>
          <p>Please sign in or create an account first. Then you come back here and add the visit.</p>
          <div className="actions">
            <LinkButton variant="primary" href={signIn.login}>
              Sign in to add the visit
            </LinkButton>
            <LinkButton href={signIn.register}>Create an account to add it</LinkButton>
          </div>
        </>
      ) : (
        <Form method="post">
          <p>
            You are signed in as {person?.firstName} {person?.lastName} ({person?.email}). The visit will belong to this
            account, and the link works only once.
          </p>
          <Button variant="primary" type="submit">
            This is my visit
          </Button>
        </Form>
      )}
    </NarrowPage>
  );
}
