import type { SharedFollowUp } from "../../booking/follow-ups/follow-ups.server.ts";
import { appointmentDocumentsPath, visitQuestionsPath } from "../../booking/appointment-paths.ts";
import type { HeldOffersProps } from "../../booking/waiting-list/held-offers.tsx";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";

/** Loaded on demand: few families have follow-ups. */
const SharedFollowUps = lazyComponent(
  async () => (await import("./canceled-visits-and-follow-ups.tsx")).SharedFollowUps,
);

/** Loaded on demand: few families are offered a time. */
const HeldOfferRows = lazyComponent(
  async () => (await import("../../booking/waiting-list/held-offers.tsx")).HeldOfferRows,
);

type ClientTasksProps = {
  needsIntake: boolean;
  needsEmailConfirmation: boolean;
  /** What the family still has to do for the next visit; null without a next visit. */
  preparation: { id: number; needsAnswers: boolean; needsPapers: boolean } | null;
  /** Follow-ups that the consultant planned with the family. */
  followUps: readonly SharedFollowUp[];
  /** Free times that are held for the family. */
  offers: HeldOffersProps["offers"];
  /** Which group has the page's primary button. */
  primary: "offer" | "task" | null;
};

/**
 * Shows the follow-ups that the family planned with the consultant, and what it can do before its next visit. Renders
 * nothing when all is done.
 */
export function ClientTasks({
  needsIntake,
  needsEmailConfirmation,
  preparation,
  followUps,
  offers,
  primary,
}: ClientTasksProps) {
  const { person } = useSite();
  const isPrimary = primary === "task";
  const hasPreparationTasks = preparation !== null && (preparation.needsAnswers || preparation.needsPapers);
  const hasFollowUpsOrOffers = followUps.length > 0 || offers.length > 0;
  if (!needsIntake && !needsEmailConfirmation && !hasPreparationTasks && !hasFollowUpsOrOffers) return null;
  return (
    <Card title="To do">
      <ul className="rows">
        {offers.length > 0 && <HeldOfferRows offers={offers} isPrimary={primary === "offer"} />}
        {followUps.length > 0 && <SharedFollowUps followUps={followUps} />}
        {needsIntake && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Fill in the intake form</strong>
              <br />
              About 10 minutes. You can stop and finish later.
            </p>
            <LinkButton to="/dashboard/intake-form" variant={isPrimary ? "primary" : "secondary"}>
              Start<span className="sr-only"> the intake form</span>
            </LinkButton>
          </li>
        )}
        {needsEmailConfirmation && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <strong>Confirm your email address</strong>
              <br />
              Use the link we emailed to {person?.email}, so that our reminders reach you.{" "}
              <a href="/change-email">Wrong address? Change it</a>
            </p>
            <LinkButton to="/messages" variant={isPrimary && !needsIntake ? "primary" : "secondary"}>
              Confirm your email
            </LinkButton>
          </li>
        )}
        {preparation?.needsAnswers && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Answer three questions</strong>
              <br />A few words on what you want from your next visit.
            </p>
            <LinkButton to={visitQuestionsPath(preparation.id)}>
              Answer<span className="sr-only"> three questions before your next visit</span>
            </LinkButton>
          </li>
        )}
        {preparation?.needsPapers && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Upload papers for your next visit</strong>
              <br />
              School letters, evaluations or plans, if you have them.
            </p>
            <LinkButton to={appointmentDocumentsPath(preparation.id)}>
              Upload<span className="sr-only"> papers for your next visit</span>
            </LinkButton>
          </li>
        )}
      </ul>
    </Card>
  );
}
