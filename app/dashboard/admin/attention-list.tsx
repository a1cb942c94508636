import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { appointmentDetailsPath } from "../../booking/paths.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-rows.ts";
import { caseTone, timeLeft } from "../../compliance/due-days.ts";
import { COMPLIANCE_PATH } from "../../compliance/paths.ts";
import type { RequestRow } from "../../consultations/request-rows.ts";
import { ViewLink } from "../../documents/document-links.tsx";
import { useSite } from "../../practice/site.ts";
import { phoneLink } from "../../practice/site-links.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime, formatLongDay, formatShortDate } from "../../ui/dates.ts";
import type { Attention } from "./attention.server.ts";

type AttentionListProps = {
  attention: Attention;
  /** The open requests that are marked emergency or urgent. */
  requests: readonly RequestRow[];
  asOf: string;
  query: string;
};

/** One line for each thing that waits for the administrator, the most pressing kinds first. */
export function AttentionList({ attention, requests, asOf, query }: AttentionListProps) {
  const { timeZone } = useSite().practice;
  const { unpaid, withoutStatus, documents, forms, payments, mails, followUps, cases } = attention;
  const unopened = documents.count + forms.count;
  const failures = payments.length + mails.length + cases.count;
  const count = requests.length + failures + unpaid.count + withoutStatus.count + followUps.count + unopened;
  return (
    <Card title={count > 0 ? `Needs attention (${count})` : "Needs attention"} className="attention">
      {count === 0 && <p>Nothing waits for you. New requests, documents and payments show up here.</p>}
      <ul className="attention-rows">
        {requests.map((request) => (
          <AttentionRow key={`request-${request.id}`} badge={request.badge.label} tone={request.badge.tone}>
            <Link to={`/dashboard/requests/${request.id}/schedule${query}`} preventScrollReset className="font-bold">
              {request.name}
              <span className="sr-only">: schedule a consultation</span>
            </Link>
            {request.phone && (
              <>
                {" "}
                <a href={phoneLink(request.phone)}>{request.phone}</a>
              </>
            )}{" "}
            <span className="clip text-muted">{request.serviceNeeds}</span>
          </AttentionRow>
        ))}
        {cases.rows.map(({ id, label, name, daysLeft, dueDay }) => (
          <AttentionRow key={`case-${id}`} badge={timeLeft(daysLeft)} tone={caseTone(daysLeft)}>
            <Link to={`${COMPLIANCE_PATH}/${id}`}>
              {label} {id}
            </Link>{" "}
            <span className="clip text-muted">
              {name && `${name}, `}by {formatLongDay(dueDay)}
            </span>
          </AttentionRow>
        ))}
        <More count={cases.count} shown={cases.rows.length} to={COMPLIANCE_PATH} kind="requests and incidents" />
        {payments.map(({ id, userId, name, amount, at }) => (
          <AttentionRow key={`payment-${id}`} badge="Card declined" tone="red">
            <Link to={`/families/${userId}`}>
              {name}
              <span className="sr-only">, declined payment {id}</span>
            </Link>{" "}
            {amount}, {formatShortDate(at, timeZone)}
          </AttentionRow>
        ))}
        {mails.map(({ id, userId, name, at }) => (
          <AttentionRow key={`mail-${id}`} badge="Mail not delivered" tone="red">
            {userId === null ? (
              "Your own mail address does not take our mail"
            ) : (
              <Link to={`/families/${userId}`}>
                {name}
                <span className="sr-only">, mail not delivered {id}</span>
              </Link>
            )}{" "}
            <span className="text-muted">{formatShortDate(at, timeZone)}. Check the address, or call.</span>
          </AttentionRow>
        ))}
        {unpaid.rows.map((row) => (
          <VisitRow
            key={`unpaid-${row.id}`}
            row={row}
            badge={(row.money ?? "").replace("still ", "")}
            tone="yellow"
            path={`${appointmentDetailsPath(row.id)}/payment${query}`}
          />
        ))}
        <More count={unpaid.count} shown={unpaid.rows.length} to="/money" kind="unpaid visits" />
        {withoutStatus.rows.map((row) => (
          <VisitRow
            key={`status-${row.id}`}
            row={row}
            badge="No status"
            tone="grey"
            path={`${appointmentDetailsPath(row.id)}/after${query}`}
          />
        ))}
        <More
          count={withoutStatus.count}
          shown={withoutStatus.rows.length}
          to="/dashboard?status=open&when=past#appointments"
          kind="visits without a status"
        />
        {followUps.rows.map(({ id, userId, name, text, dueDay }) => (
          <AttentionRow key={`follow-up-${id}`} badge="Follow-up" tone="yellow">
            <Link to={`/families/${userId}#follow-ups`}>
              {name}
              <span className="sr-only">, follow-up {id}</span>
            </Link>{" "}
            <span className="clip text-muted">
              {text}, {formatLongDay(dueDay)}
            </span>
          </AttentionRow>
        ))}
        <More count={followUps.count} shown={followUps.rows.length} to="/families" kind="follow-ups" />
        {documents.rows.map(({ id, userId, name, fileName }) => (
          <AttentionRow key={`document-${id}`} badge="New document" tone="blue">
            <Link to={`/families/${userId}#documents`}>
              {name}
              <span className="sr-only">, documents</span>
            </Link>{" "}
            <span className="clip text-muted">
              <bdi>{fileName}</bdi>
            </span>
            <ViewLink row={{ id, fileName }} />
          </AttentionRow>
        ))}
        <More count={documents.count} shown={documents.rows.length} to="/documents" kind="new documents" />
        {forms.rows.map(({ userId, name, isFirst, updatedAt }) => (
          <AttentionRow key={`form-${userId}`} badge={isFirst ? "New intake form" : "Intake form changed"} tone="blue">
            <Link to={`/dashboard/intake-form?userId=${userId}`} preventScrollReset>
              {name}
              <span className="sr-only">, intake form</span>
            </Link>{" "}
            <span className="text-muted">{formatShortDate(updatedAt, timeZone)}</span>
          </AttentionRow>
        ))}
        <More count={forms.count} shown={forms.rows.length} to="/families" kind="intake forms" />
      </ul>
      {unopened > 0 && (
        <Form method="post" action="/dashboard" preventScrollReset className="flex">
          <input type="hidden" name="until" value={asOf} />
          <Button variant="quiet" busyText="Saving…" className="-ml-3">
            Mark documents and forms as read
          </Button>
        </Form>
      )}
    </Card>
  );
}

function AttentionRow({ badge, tone, children }: { badge: string; tone: BadgeTone; children: ReactNode }) {
  return (
    <li className="attention-row">
      <Badge tone={tone}>{badge}</Badge>
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </li>
  );
}

type VisitRowProps = { row: AdminRow; badge: string; tone: BadgeTone; path: string };

function VisitRow({ row, badge, tone, path }: VisitRowProps) {
  const { timeZone } = useSite().practice;
  return (
    <AttentionRow badge={badge} tone={tone}>
      <Link to={path} preventScrollReset>
        {row.client.name}
        <span className="sr-only">
          , {badge}, {formatDateTime(row.start, timeZone)}
        </span>
      </Link>{" "}
      <span className="text-muted">{formatShortDate(row.start, timeZone)}</span>
    </AttentionRow>
  );
}

type MoreProps = { count: number; shown: number; to: string; kind: string };

function More({ count, shown, to, kind }: MoreProps) {
  if (count <= shown) return null;
  return (
    <li className="attention-row">
      <Link to={to}>
        {count - shown} more {kind}
      </Link>
    </li>
  );
}
