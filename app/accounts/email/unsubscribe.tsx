import { data, Form } from "react-router";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { MAIL_TOPICS } from "../../mail/mail-events.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { BrokenLinkPage } from "../links/broken-link-page.tsx";
import type { Route } from "./+types/unsubscribe";
import { findUnsubscribeChoice, unsubscribe } from "./mail-settings.server.ts";

export const handle: PageHandle = { unhydrated: true };

/** Changes nothing, because mail clients open links automatically. */
export async function loader({ params }: Route.LoaderArgs) {
  return toUnsubscribeResponse(await findUnsubscribeChoice(params.token));
}

/**
 * Also receives the POST that mail clients send for their own unsubscribe button (RFC 8058), without a cookie or an
 * origin.
 */
export async function action({ params }: Route.ActionArgs) {
  return toUnsubscribeResponse(await unsubscribe(params.token));
}

function toUnsubscribeResponse(outcome: Awaited<ReturnType<typeof findUnsubscribeChoice>>) {
  return outcome.ok
    ? data({ refusal: null, choice: outcome.value })
    : data({ refusal: outcome.message, choice: null }, { status: HTTP_STATUS[outcome.reason] });
}

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const { refusal, choice } = actionData ?? loaderData;
  if (!choice)
    return (
      <BrokenLinkPage
        title="This link does not work"
        reason={refusal}
        back={{ text: "Choose your emails after signing in", href: "/messages" }}
      />
    );
  const { topic, isOptedOut, others } = choice;
  const title = isOptedOut ? "These emails are turned off" : "Turn off these emails?";
  return (
    <NarrowPage
      heading={title}
      lead={
        isOptedOut
          ? "We no longer email you these. They are still on your messages page."
          : "This turns off only the emails named here."
      }
    >
      <PageMeta>{title}</PageMeta>
      <p className="font-bold">{MAIL_TOPICS[topic]}</p>
      {isOptedOut ? (
        <p>
          <a href="/messages">Turn them on again, or choose other emails</a>
        </p>
      ) : (
        <Form method="post">
          <Button variant="primary" type="submit">
            Turn them off
          </Button>
        </Form>
      )}
      {others.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others" className="text-xl">
            We still email you
          </h2>
          <ul className="rows">
            {others.map((other) => (
              <li key={other.topic} className="row">
                <span className="min-w-0 flex-1 basis-36">{MAIL_TOPICS[other.topic]}</span>
                <LinkButton href={other.path} variant="quiet">
                  Turn off<span className="sr-only">: {MAIL_TOPICS[other.topic]}</span>
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p>What you need to know, such as a changed password, we always email you.</p>
    </NarrowPage>
  );
}
