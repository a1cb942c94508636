import type { ReactNode } from "react";
import { PageMeta } from "../../ui/page-meta.tsx";
import { formatMonth, formatLegalTextDate } from "../../ui/format-date-time.ts";
import {
  PRACTICE_LOCATION,
  LEGAL_TEXTS_EFFECTIVE_DATE,
  LEGAL_TEXTS_UPDATED_MONTH,
  TERMS_VERSION,
} from "../site-content.ts";
import { LEGAL_REQUEST_PATH, phoneHref } from "../site-links.ts";
import { useSite } from "../site.ts";

type LegalPageProps = { title: string; summary: string; children: ReactNode };

/** The layout of the four legal texts: title, effective date, summary and text. */
export function LegalPage({ title, summary, children }: LegalPageProps) {
  const { name } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta description={summary}>{title}</PageMeta>
      <article className="prose mx-auto">
        <h1>{title}</h1>
        <p className="text-muted">
          {name}, {PRACTICE_LOCATION}
          <br />
          Last updated: {formatMonth(LEGAL_TEXTS_UPDATED_MONTH)}
          <br />
          Effective: {formatLegalTextDate(LEGAL_TEXTS_EFFECTIVE_DATE)}
          <br />
          In these words since: {formatLegalTextDate(TERMS_VERSION)}
        </p>
        <p className="notice">
          <strong>In short:</strong> {summary}
        </p>
        {children}
      </article>
    </main>
  );
}

/** How to reach the practice, at the end of each legal text. */
export function LegalContact({ about, kind = "privacy" }: { about: string; kind?: "privacy" | "accessibility" }) {
  const { name, phone, email } = useSite().practice;
  return (
    <>
      <h2>How to reach us</h2>
      <p>{about}</p>
      <p>
        <a href={`${LEGAL_REQUEST_PATH}?kind=${kind}`}>Write to us on this site</a>. You see by which day we answer.
      </p>
      <p>
        {name}
        <br />
        {PRACTICE_LOCATION}
        <br />
        Phone: <a href={phoneHref(phone)}>{phone}</a>
        <br />
        Email: <a href={`mailto:${email}`}>{email}</a>
      </p>
    </>
  );
}
