import type { ReactNode } from "react";
import { VisitAnswerList } from "../booking/visit-answers/visit-answer-list.tsx";
import { viewDocumentPath } from "../documents/document-paths.ts";
import { useSite } from "../practice/site.ts";
import { formatShortPlainDate } from "../ui/format-date-time.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { VisitBriefing } from "./visit-briefing-types.ts";

/** Shows a summary of the family before the consultant joins. */
export function BriefingCard({ briefing }: { briefing: VisitBriefing }) {
  return (
    <section className="card briefing" aria-labelledby="before-you-start">
      <h2 id="before-you-start" className="text-xl">
        Before you start
      </h2>
      <BriefingFacts briefing={briefing} />
    </section>
  );
}

/** Shows the facts of the briefing. Links open in a new tab, because leaving the page would end the call. */
export function BriefingFacts({ briefing }: { briefing: VisitBriefing }) {
  const {
    familyId,
    profile,
    answers,
    lastNote,
    followUps,
    documents,
    amountDueText,
    upcomingAmount,
    moreFollowUps,
    moreDocuments,
  } = briefing;
  const { timeZone } = useSite().practice;
  return (
    <>
      {profile ? (
        <p className="wrap-anywhere">
          <span className="sr-only">Child: </span>
          <b>{profile.child}</b>
          {profile.school && <span className="block text-muted">{profile.school}</span>}
        </p>
      ) : (
        <p>This family has not filled out the intake form yet.</p>
      )}
      {answers && <VisitAnswerList answers={answers} />}
      <dl className="grid gap-3 [&_dt]:text-muted">
        <BriefingFact term="Concerns" items={profile?.concerns ?? []} />
        <BriefingFact
          term="Last note"
          items={
            lastNote
              ? [
                  <span key="note" className="whitespace-pre-line">
                    <ZonedTime instant={lastNote.createdAt} zone={timeZone} inSentence />: {lastNote.text}
                  </span>,
                ]
              : []
          }
        />
        <BriefingFact
          term="Open follow-ups"
          more={moreFollowUps}
          items={followUps.map(({ id, text, dueDay, isDue }) => (
            <span key={id}>
              {text}
              <span className={isDue ? "text-warn" : "text-muted"}>
                {" "}
                ({isDue ? "due" : "by"} {formatShortPlainDate(dueDay)})
              </span>
            </span>
          ))}
        />
        <BriefingFact
          term="Documents you have not opened"
          more={moreDocuments}
          items={documents.map(({ id, fileName, virusText }) =>
            virusText ? (
              `${fileName}: ${virusText}`
            ) : (
              <a key={id} href={viewDocumentPath(id)} target="_blank" rel="noreferrer">
                {fileName}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            ),
          )}
        />
        <BriefingFact term="Money due" items={[amountDueText, upcomingAmount].filter((text) => text !== null)} />
      </dl>
      <p>
        <a href={`/families/${familyId}`} target="_blank" rel="noreferrer">
          Everything about this family<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
    </>
  );
}

/** `more` is the number of further items, which only the family's page shows. */
function BriefingFact({ term, items, more = 0 }: { term: string; items: ReactNode[]; more?: number }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="wrap-anywhere">
        {items.length === 0 && "None"}
        {items.length === 1 && items[0]}
        {items.length > 1 && (
          <ul className="list-disc pl-5">
            {items.map((item, index) => (
              <li key={index}>{item}</li>
            ))}
          </ul>
        )}
        {more > 0 && <p>and {more} more</p>}
      </dd>
    </div>
  );
}
