import { Form, Link, redirect } from "react-router";
import {
  getEmailPreferences,
  replaceAndMailConfirmationLink,
  saveMailTopics,
} from "../accounts/email/mail-settings.server.ts";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { flash, redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readNamedFormFields } from "../http/form.server.ts";
import { readPageNumber } from "../http/list-query.ts";
import { MAIL_TOPICS, topicsForPerson } from "../mail/mail-events.ts";
import { listMessages, markMessageRead } from "../mail/message-list.server.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import { useSite } from "../practice/site.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { Pagination } from "../ui/pagination.tsx";
import type { Route } from "./+types/messages";
import { MessageDetails, UnreadMessageLink } from "./message-details.tsx";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

const MESSAGES_PATH = "/messages";

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  // The administrator's messages contain names of families.
  if (person.isAdmin) await recordListRead();
  const page = readPageNumber(url.searchParams);
  const openId = parseId(url.searchParams.get("open") ?? "");
  if (openId !== null) await markMessageRead(person.id, openId);
  const { optOuts, isConfirmed } = await getEmailPreferences(person);
  const confirmedEmail = isConfirmed && !person.isAdmin ? person.email : null;
  const { messages, pageCount } = await listMessages(person.id, confirmedEmail, page);
  return {
    messages: messages.map((message) => ({ ...message, when: formatPracticeDateTime(message.createdAt) })),
    openId,
    page,
    pageCount,
    optOuts,
    // The consultant's address was set on the server, or confirmed when she changed it.
    email: isConfirmed || person.isAdmin || mailMode === "none" ? null : person.email,
    topics: topicsForPerson(person),
    hasMail: mailMode !== "none",
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readNamedFormFields(request, ["intent", "topic"]);
  if (form.get("intent") === "confirm") {
    const result = await replaceAndMailConfirmationLink(person);
    const notice = result.ok
      ? { title: "Email Sent", description: `Please check your inbox: ${person.email}` }
      : { title: "No Email Sent", description: result.message, style: "destructive" as const };
    return redirectWithFlash(context, MESSAGES_PATH, notice);
  }
  await saveMailTopics(person, form.getAll("topic").map(String));
  flash(context, { title: "Saved", description: "We'll email you what you chose." }, MESSAGES_PATH);
  return redirect(MESSAGES_PATH);
}

/** Page of all messages to a person, readable without mail, and the settings for which of them are sent by mail. */
export default function Messages({ loaderData }: Route.ComponentProps) {
  const { messages, openId, page, pageCount, optOuts, email, topics, hasMail } = loaderData;
  const { person, practice: contact } = useSite();
  const practice = person?.isAdmin ? null : contact;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>Messages</PageMeta>
      <h1>Messages</h1>
      {email && (
        <Form method="post" className="notice grid justify-items-start gap-3">
          <p>
            Please confirm your email address <strong className="wrap-anywhere">{email}</strong> with the link we
            emailed you. <a href="/change-email">Wrong address? Change it</a>
          </p>
          <Button variant="secondary" name="intent" value="confirm" busyText="Sending…">
            Email me the link again
          </Button>
        </Form>
      )}
      {practice && (
        <p>
          To write to us: <a href={`mailto:${practice.email}`}>{practice.email}</a>
        </p>
      )}
      <Card title="From us to you">
        {messages.length === 0 ? (
          <EmptyState
            illustration="letter"
            title="No messages yet"
            text={`${hasMail ? "Whatever we email you also shows up here" : "Our messages show up here"}: your visits, your receipts, and news about your account.`}
          />
        ) : (
          <ul className="rows">
            {messages.map((message) => (
              <li key={message.id} id={`message-${message.id}`} className="row">
                {message.isRead ? (
                  <MessageDetails message={message} isOpen={message.id === openId} hasMail={hasMail} />
                ) : (
                  <UnreadMessageLink message={message} page={page} />
                )}
              </li>
            ))}
          </ul>
        )}
        <Pagination page={page} pageCount={pageCount} label="Pages of messages" />
      </Card>
      {hasMail ? (
        <MailTopics topics={topics} optOuts={optOuts} />
      ) : (
        <p>We send no email: look here for our messages.</p>
      )}
      <p>
        <Link to="/dashboard" className="link-target">
          Back to the dashboard
        </Link>
      </p>
    </main>
  );
}

type MailTopicsProps = Pick<Route.ComponentProps["loaderData"], "topics" | "optOuts">;

function MailTopics({ topics, optOuts }: MailTopicsProps) {
  return (
    <Card title="What we email you">
      <p>We always email you what you need to know, such as a changed password. The rest is up to you.</p>
      <Form method="post">
        <fieldset className="field">
          <legend className="sr-only">Emails I want</legend>
          <div className="grid gap-2">
            {topics.map((topic) => (
              <label key={topic} className="choice">
                <input type="checkbox" name="topic" value={topic} defaultChecked={!optOuts.includes(topic)} />
                <span>{MAIL_TOPICS[topic]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Button variant="secondary" busyText="Saving…">
          Save my email choices
        </Button>
      </Form>
    </Card>
  );
}
