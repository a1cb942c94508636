import { Link } from "react-router";
import { appointmentDetailsPath, familyIntakeFormPath } from "../../booking/appointment-paths.ts";
import type { RequestRow } from "../../consultation-requests/request-rows.ts";
import { ViewDocumentLink } from "../../documents/document-links.tsx";
import { useSite } from "../../practice/site.ts";
import { COMPLIANCE_CASES_PATH } from "../../practice/site-links.ts";
import { Card } from "../../ui/card.tsx";
import { formatLongPlainDate, formatShortDate } from "../../ui/format-date-time.ts";
import type { AttentionItems } from "./attention.server.ts";
import { AttentionGroup, AttentionRow, UnfinishedVisitRow } from "./attention-row.tsx";
import { MarkAsReadForm } from "./mark-as-read.tsx";
import { UndeliveredMailRows } from "./undelivered-mail-rows.tsx";
import { UrgentConsultationRequests } from "./urgent-consultation-requests.tsx";
import { VisitsPendingManualNotification } from "./visits-pending-manual-notification.tsx";

type AttentionListProps = {
  attention: AttentionItems;
  /** The first of the open requests marked emergency or urgent. */
  requests: readonly RequestRow[];
  /** Number of all open requests marked emergency or urgent. */
  urgentCount: number;
  asOf: string;
  query: string;
};

/** Shows what needs the administrator's attention, grouped by kind, the most urgent kinds first. */
export function AttentionList({ attention, requests, urgentCount, asOf, query }: AttentionListProps) {
  const { timeZone } = useSite().practice;
  const {
    unpaid,
    withoutStatus,
    documents,
    forms,
    payments,
    refunds,
    mail,
    followUps,
    cases,
    pendingNotifications,
    withdrawals,
  } = attention;
  const failures = payments.length + refunds.length + mail.count;
  const count =
    urgentCount +
    pendingNotifications.count +
    cases.count +
    withdrawals.length +
    failures +
    unpaid.count +
    withoutStatus.count +
    followUps.count +
    documents.count +
    forms.count;
  return (
    <Card title={count > 0 ? `Needs attention (${count})` : "Needs attention"} className="attention">
      {count === 0 && <p>You're all caught up. New requests, documents and payments show up here.</p>}
      <div className="attention-groups">
        <UrgentConsultationRequests requests={requests} count={urgentCount} query={query} />
        <VisitsPendingManualNotification pendingNotifications={pendingNotifications} query={query} />
        <AttentionGroup
          title="Legal requests"
          count={cases.count}
          isUrgent
          more={{
            to: COMPLIANCE_CASES_PATH,
            shown: cases.rows.length,
            nouns: ["more request or incident", "more requests and incidents"],
          }}
        >
          {cases.rows.map(({ id, label, name, timeLeft, color, dueDay }) => (
            <AttentionRow key={id} badge={timeLeft} color={color}>
              <Link to={`${COMPLIANCE_CASES_PATH}/${id}`}>
                {label} {id}
              </Link>{" "}
              <span className="text-muted">
                {name && `${name}, `}by {formatLongPlainDate(dueDay)}
              </span>
            </AttentionRow>
          ))}
        </AttentionGroup>
        <AttentionGroup title="Agreements taken back" count={withdrawals.length} isUrgent>
          {withdrawals.map(({ id, userId, name, title, withdrawnAt }) => (
            <AttentionRow key={id}>
              <Link to={`/families/${userId}#agreements`}>
                {name}
                <span className="sr-only">, agreements</span>
              </Link>{" "}
              <span className="text-muted">
                {title}
                {withdrawnAt && `, ${formatShortDate(withdrawnAt, timeZone)}`}
              </span>
            </AttentionRow>
          ))}
        </AttentionGroup>
        <AttentionGroup title="Did not work" count={failures} isUrgent>
          {refunds.map(({ id, appointmentId, name, amount, at }) => (
            <AttentionRow key={`refund-${id}`} badge="Refund refused" color="red">
              {appointmentId === null ? (
                name
              ) : (
                <Link to={`${appointmentDetailsPath(appointmentId)}/payment${query}`} preventScrollReset>
                  {name}
                  <span className="sr-only">, refused refund {id}</span>
                </Link>
              )}{" "}
              {amount}, {formatShortDate(at, timeZone)}.{" "}
              <span className="text-muted">Give the money back another way.</span>
            </AttentionRow>
          ))}
          {payments.map(({ id, userId, name, amount, at }) => (
            <AttentionRow key={`payment-${id}`} badge="Card declined" color="red">
              <Link to={`/families/${userId}`}>
                {name}
                <span className="sr-only">, declined payment {id}</span>
              </Link>{" "}
              {amount}, {formatShortDate(at, timeZone)}
            </AttentionRow>
          ))}
          <UndeliveredMailRows mail={mail} />
        </AttentionGroup>
        <AttentionGroup
          title="Money"
          count={unpaid.count}
          more={{ to: "/money", shown: unpaid.rows.length, nouns: ["more unpaid visit", "more unpaid visits"] }}
        >
          {unpaid.rows.map((row) => (
            <UnfinishedVisitRow
              key={row.id}
              row={row}
              path={`${appointmentDetailsPath(row.id)}/payment${query}`}
              label={row.money ?? ""}
              isMoney
            />
          ))}
        </AttentionGroup>
        <AttentionGroup
          title="No status"
          count={withoutStatus.count}
          more={{
            to: "/dashboard?status=open&when=past#appointments",
            shown: withoutStatus.rows.length,
            nouns: ["more visit without a status", "more visits without a status"],
          }}
        >
          {withoutStatus.rows.map((row) => (
            <UnfinishedVisitRow
              key={row.id}
              row={row}
              path={`${appointmentDetailsPath(row.id)}/after${query}`}
              label="no status"
            />
          ))}
        </AttentionGroup>
        <AttentionGroup
          title="Follow-ups"
          count={followUps.count}
          more={{
            to: "/families?visits=follow-up-due",
            shown: followUps.rows.length,
            nouns: ["more follow-up", "more follow-ups"],
          }}
        >
          {followUps.rows.map(({ id, userId, name, text, timeLeft, color }) => (
            <AttentionRow key={id} badge={timeLeft} color={color} isStacked>
              <Link to={`/families/${userId}#follow-ups`}>
                {name}
                <span className="sr-only">, follow-up {id}</span>
              </Link>{" "}
              <span className="clip clip-2 text-muted">{text}</span>
            </AttentionRow>
          ))}
        </AttentionGroup>
        <AttentionGroup
          title="New documents"
          count={documents.count}
          more={{
            to: "/documents?show=new",
            shown: documents.rows.length,
            nouns: ["more new document", "more new documents"],
          }}
        >
          {documents.rows.map((row) => (
            <AttentionRow key={row.id}>
              <Link to={`/families/${row.userId}#documents`}>
                {row.name}
                <span className="sr-only">, documents</span>
              </Link>{" "}
              <span className="clip text-muted">
                <bdi>{row.fileName}</bdi>
              </span>{" "}
              <span className="text-muted">{formatShortDate(row.uploadedAt, timeZone)}</span>
              {row.virusText ? (
                <span className="block text-danger">{row.virusText}</span>
              ) : (
                <ViewDocumentLink row={row} />
              )}
            </AttentionRow>
          ))}
          <MarkAsReadForm
            field="document"
            ids={documents.rows.map(({ id }) => id)}
            nouns={["document", "documents"]}
            asOf={asOf}
          />
        </AttentionGroup>
        <AttentionGroup
          title="Intake forms"
          count={forms.count}
          more={{
            to: "/families?intake=new",
            shown: forms.rows.length,
            nouns: ["more intake form", "more intake forms"],
          }}
        >
          {forms.rows.map(({ userId, name, isFirst, updatedAt }) => (
            <AttentionRow key={userId} badge={isFirst ? "New" : "Changed"} color="blue">
              <Link to={familyIntakeFormPath(userId, query)} preventScrollReset>
                {name}
                <span className="sr-only">, intake form</span>
              </Link>{" "}
              <span className="text-muted">{formatShortDate(updatedAt, timeZone)}</span>
            </AttentionRow>
          ))}
          <MarkAsReadForm
            field="formOf"
            ids={forms.rows.map(({ userId }) => userId)}
            nouns={["intake form", "intake forms"]}
            asOf={asOf}
          />
        </AttentionGroup>
      </div>
    </Card>
  );
}
