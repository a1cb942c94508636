import { useEffect, useState } from "react";
import { IntakeAnswerList } from "../../intake/intake-answer-list.tsx";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { CallIntakeForm } from "../call-intake-form.ts";
import { BriefingFacts } from "../visit-briefing.tsx";
import type { CallInfo } from "./call-state.ts";

/** Returns the URL of the family's intake form and of the visit note, which the consultant uses during a call. */
export const consultantPanelPath = (appointmentId: number) => `/video-call/${appointmentId}/family`;

/**
 * Shows a summary of the family and its intake form next to the videos. The form is loaded once it is shown, and each
 * load adds an entry to the access log. Contact details come last, because the consultant is already talking with the
 * family.
 */
export function IntakePanel({ callInfo: { id, briefing } }: { callInfo: CallInfo }) {
  return (
    <>
      {briefing && <BriefingFacts briefing={briefing} />}
      <IntakeFormAnswers appointmentId={id} />
    </>
  );
}

function IntakeFormAnswers({ appointmentId }: { appointmentId: number }) {
  const { timeZone } = useSite().practice;
  const [form, setForm] = useState<CallIntakeForm | "loading" | "failed">("loading");
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    const controller = new AbortController();
    // Not a router's fetcher: if one failed, an error page would replace the page and end the call.
    fetchIntakeForm(appointmentId, controller.signal).then(
      setForm,
      () => !controller.signal.aborted && setForm("failed"),
    );
    return () => controller.abort();
  }, [appointmentId, attempt]);
  if (form === "loading") return <p role="status">Loading the intake form…</p>;
  if (form === "failed") {
    const retry = () => {
      setForm("loading");
      setAttempt(attempt + 1);
    };
    return (
      <>
        <p role="alert">The intake form could not be loaded. The call goes on.</p>
        <Button type="button" onClick={retry}>
          Try again
        </Button>
      </>
    );
  }
  if (form === null) return <p>The family has not sent in an intake form yet.</p>;
  return (
    <>
      <h2 className="sr-only">Intake form</h2>
      <p className="hint">
        As of <ZonedTime instant={form.updatedAt} zone={timeZone} inSentence />
      </p>
      <IntakeAnswerList
        sections={form.sections.filter(({ name }) => name !== "client")}
        titleAs="h3"
        shouldCollapseUnanswered
      />
      <details>
        <summary className="text-summary">How to reach the family</summary>
        <IntakeAnswerList
          sections={form.sections.filter(({ name }) => name === "client")}
          titleAs="h3"
          shouldCollapseUnanswered
        />
      </details>
    </>
  );
}

async function fetchIntakeForm(appointmentId: number, signal: AbortSignal): Promise<CallIntakeForm> {
  const response = await fetch(consultantPanelPath(appointmentId), { signal });
  if (!response.ok || response.redirected) throw new Error(`The form was answered with ${response.status}.`);
  return (await response.json()) as CallIntakeForm;
}
