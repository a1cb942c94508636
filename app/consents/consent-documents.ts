/** A document that a family can agree to in addition to the terms. Each is signed and withdrawn separately. */
export type ConsentDocument = {
  /** Identifies the document in addresses and in the database. */
  id: string;
  title: string;
  summary: string;
  /** Label of a field that is part of the text. The family fills it in when signing. */
  detailsLabel?: string;
  detailsHint?: string;
  /** Number of days after which a signature expires, according to the text. */
  endsAfterDays?: number;
  /** Newest first. An earlier version must be kept as long as any signature refers to it. */
  versions: readonly [ConsentText, ...ConsentText[]];
};

/** `version` is the first day on which the text is offered. */
export type ConsentText = { version: string; paragraphs: readonly string[] };

export const CONSENT_DOCUMENTS: readonly ConsentDocument[] = [
  {
    id: "release-of-records",
    title: "Release of records",
    summary: "We may talk with the people you name, and share records with them.",
    detailsLabel: "Whom may we talk to?",
    detailsHint: "Name each one, such as a school, a doctor or an insurer.",
    endsAfterDays: 365,
    versions: [
      {
        version: "2026-11-23",
        paragraphs: [
          "You let us ask for your child's records, and share them, with the people and places that you name below, and with nobody else.",
          "Records are school plans and reports, evaluations, letters, and what doctors and therapists wrote. We share only what the task at hand needs: to advise you, to prepare for meetings, and to speak up for your child.",
          "Whoever gets a record from us may have other rules, and may share it again.",
          "You don't have to sign this. We work with you in any case, but we can't talk to others about your child without it.",
          "This ends one year after you sign it. You can take it back here at any time before. What we shared until then stays shared.",
        ],
      },
    ],
  },
  {
    id: "recording",
    title: "Recording a visit",
    summary: "We may record a visit, if everybody in it agrees again that day.",
    versions: [
      {
        version: "2026-11-23",
        paragraphs: [
          "You let us record the sound of a visit, to write better notes. This website records nothing: we would use a device of our own, and you would see it.",
          "We ask again at the start of each visit. If anybody says no, we do not record.",
          "Only the consultant hears a recording. We delete it as soon as the notes are written, at the latest after 30 days. You can ask for a copy until then.",
          "You don't have to sign this. Without it we take notes by hand.",
          "You can take this back here at any time, or say so in a visit, and we stop at once.",
        ],
      },
    ],
  },
  {
    id: "card-on-file",
    title: "Card on file",
    summary: "We may charge a card that our payment company stores for you.",
    versions: [
      {
        version: "2026-11-23",
        paragraphs: [
          "You let our payment company store your card, and you let us charge it. We never see the card number, and this website does not store it.",
          "We charge only visits that you booked, at the price that was shown when you booked, and the fees that our terms of service name. You get a receipt each time.",
          "You don't have to sign this. You can pay each visit by itself, online or in person.",
          "You can take this back here at any time. Then the card is removed. What you owe for visits until then stays due.",
        ],
      },
    ],
  },
];

export function findConsentDocument(id: string | undefined): ConsentDocument | null {
  return CONSENT_DOCUMENTS.find((document) => document.id === id) ?? null;
}
