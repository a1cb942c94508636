import { data, Form } from "react-router";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { MAIL_TOPICS } from "../../mail/events.ts";
import { Button } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { BrokenLinkPage } from "../broken-link-page.tsx";
import type { Route } from "./+types/unsubscribe";
import { findUnsubscribeTopic, unsubscribe } from "./mail-settings.server.ts";

export const handle: PageHandle = { unhydrated: true };

/** Changes nothing, because mail programs open links by themselves. */
export function loader({ params }: Route.LoaderArgs) {
  return toPage(findUnsubscribeTopic(params.token), false);
}

/** Also receives what mail programs post for their own button (RFC 8058), without a cookie or an origin. */
export async function action({ params }: Route.ActionArgs) {
  return toPage(await unsubscribe(params.token), true);
}

function toPage(outcome: ReturnType<typeof findUnsubscribeTopic>, isDone: boolean) {
  return outcome.ok
    ? data({ refusal: null, topic: MAIL_TOPICS[outcome.value.topic], isDone })
    : data({ refusal: outcome.message, topic: "", isDone: false }, { status: HTTP_STATUS[outcome.reason] });
}

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const { refusal, topic, isDone } = actionData ?? loaderData;
  if (refusal)
    return (
      <BrokenLinkPage
        title="This link does not work"
        reason={refusal}
        back={{ text: "Choose your emails after signing in", href: "/messages" }}
      />
    );
  const title = isDone ? "These emails are turned off" : "Turn off these emails?";
  return (
    <NarrowPage
      heading={title}
      lead={
        isDone
          ? "We no longer email you these. They are still on your messages page."
          : "We still email you what you need to know, such as a visit that was moved."
      }
    >
      <PageTitle>{title}</PageTitle>
      <p className="font-bold">{topic}</p>
      {isDone ? (
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
    </NarrowPage>
  );
}
