import { Link } from "react-router";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { DownloadIcon } from "../ui/icons.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { IntakeAnswerList } from "./intake-answer-list.tsx";
import type { toSubmittedIntakeFormData } from "./intake-forms.server.ts";
import "../ui/styles/print.css";

type SubmittedIntakeFormProps = { summary: ReturnType<typeof toSubmittedIntakeFormData>; titleAs?: "h3" | "h4" };

/** Shows a submitted form for reading, downloading and printing. Fits a dialog or a page. */
export function SubmittedIntakeForm({ summary, titleAs = "h3" }: SubmittedIntakeFormProps) {
  const { timeZone } = useSite().practice;
  const { submittedAt, updatedAt } = summary;
  return (
    <div data-print>
      <p className="mb-5 text-muted">
        Submitted <ZonedTime instant={submittedAt} zone={timeZone} />
        {updatedAt > submittedAt && (
          <span className="block">
            Updated <ZonedTime instant={updatedAt} zone={timeZone} />.{" "}
            <Link to={summary.changesUrl}>See what changed</Link>
          </span>
        )}
      </p>
      <IntakeAnswerList sections={summary.sections} titleAs={titleAs} linksContacts />
      <LinkButton variant="secondary" href={summary.textFileUrl} download="intake-form.txt" className="mt-6">
        <DownloadIcon />
        Download as Text File
      </LinkButton>
    </div>
  );
}
