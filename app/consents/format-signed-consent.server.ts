import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { findConsentDocument } from "./consent-documents.ts";
import type { SignedConsent } from "./consents.server.ts";
import type { SignedText } from "./signed-text.tsx";

/** Returns a signature with the text that was signed, for display. */
export function formatSignedConsent(signed: SignedConsent): SignedText {
  const endedAt = signed.isInForce ? null : (signed.withdrawnAt ?? signed.endsAt);
  return {
    id: signed.id,
    title: signed.title,
    name: signed.signedName,
    details: signed.details,
    detailsLabel: findConsentDocument(signed.documentId)?.detailsLabel,
    signedOn: formatPracticeDateTime(signed.signedAt),
    endsOn: signed.isInForce && signed.endsAt ? formatPracticeDateTime(signed.endsAt) : null,
    endedOn: endedAt && formatPracticeDateTime(endedAt),
    version: formatLongPlainDate(signed.version),
    paragraphs: signed.paragraphs,
  };
}
