// Proves that each message's default text, applied to the message, reproduces it, and which custom texts are refused.
import { findExternalLink } from "../../app/messages/wording/find-external-link.ts";
import { describe, expect, test } from "vitest";
import { applyWording, defaultWording, placeholderValues, placeholderError } from "../../app/mail/wording.ts";
import { buildWordingSamples } from "../../app/mail/wording-samples.ts";
import { WORDING_NAMES } from "../../app/wording-names.ts";
import { hourReminderContent, visitBookedContent, visitMovedContent } from "../../app/mail/messages/visit-messages.ts";
import { consultationRequestReceivedContent } from "../../app/mail/messages/consultation-request-messages.ts";
import { emailChangedContent } from "../../app/mail/messages/email-change-messages.ts";
import { invitationContent } from "../../app/mail/messages/account-messages.ts";

const PRACTICE = { name: "Harbor Family Advocacy", phone: "(732) 555-0142", email: "hello@example.com" };
const samples = buildWordingSamples(PRACTICE);

test.each(WORDING_NAMES)("%s: its default text reproduces the message and contains no sample values", (name) => {
  const { content } = samples[name];
  const own = defaultWording(content, PRACTICE);
  expect(applyWording(content, own, PRACTICE)).toEqual({ closing: [], ...content });
  const values = Object.values(placeholderValues({ ...content, firstName: "" }, PRACTICE)).filter(
    (value) => value !== "",
  );
  for (const value of values) expect(own.subject + own.body).not.toContain(value);
});

test.each(WORDING_NAMES)("%s: its default text has all required placeholders", (name) => {
  const { content, required = [] } = samples[name];
  const own = defaultWording(content, PRACTICE);
  const allowed = [...Object.keys(placeholderValues(content, PRACTICE)), "link"];
  expect(placeholderError(own, { allowed, required })).toBeNull();
});

test("the default text made from one sample reproduces every variant of its message", () => {
  const visit = {
    firstName: "Ana",
    when: "Tue",
    length: "30 minutes",
    where: "Our office",
    exactPlace: null,
    path: "/x",
    moveAndCancellationTerms: "It starts in less than 24 hours.",
  };
  const variants = [
    ["visit-booked", visitBookedContent(visit)],
    ["visit-moved", visitMovedContent(visit, { previous: { when: "Mon", length: "60 minutes" }, by: "practice" })],
    ["visit-moved", visitMovedContent(visit, { previous: { when: null, length: "60 minutes" }, by: "practice" })],
    [
      "visit-moved",
      visitMovedContent(visit, {
        previous: { when: null, length: null },
        by: "practice",
        placeChange: { text: "We set the place of your visit: The school.", isRemoved: false },
      }),
    ],
    ["visit-reminder-1h", hourReminderContent(visit, false)],
    ["request-received", consultationRequestReceivedContent(PRACTICE.phone, { hasAccount: true })],
    ["invitation", invitationContent(PRACTICE.name, { hasVisit: false, until: "Friday" })],
    [
      "email-changed",
      emailChangedContent({ firstName: "" }, { at: "now", phone: PRACTICE.phone, canUndo: false, isConsultant: false }),
    ],
  ] as const;
  for (const [name, content] of variants) {
    const own = defaultWording(samples[name].content, PRACTICE);
    const { action, ...applied } = applyWording(content, own, PRACTICE);
    expect([name, { ...applied, ...(action && { action }) }]).toEqual([name, { closing: [], ...content }]);
  }
});

test("an unknown first name leaves no gap in the text", () => {
  const { content } = samples["visit-booked"];
  const wording = { subject: "Booked", body: "Thank you, {first name}.\n\nDear {first name}, see you.\n\n{link}" };
  const texts = (firstName: string) => applyWording({ ...content, firstName }, wording, PRACTICE).paragraphs;
  expect(texts("Ana")).toEqual(["Thank you, Ana.", "Dear Ana, see you."]);
  expect(texts("")).toEqual(["Thank you.", "Dear, see you."]);
});

describe("a custom text", () => {
  const rules = { allowed: ["first name", "when", "amount", "practice", "link"], required: ["link"] };
  const problem = (changes: object) =>
    placeholderError({ subject: "Hello", body: "See you {when}.\n\n{link}", ...changes }, rules);
  const BODIES: [why: string, body: string, sentence: string][] = [
    ["with an unknown placeholder", "{child}\n\n{link}", "no {child}. You can use {first name}, {when}"],
    ["with a placeholder in capitals", "{When}\n\n{link}", "no {When}"],
    ["with a brace that is not closed", "{when\n\n{link}", "no {"],
    ["with a brace too many", "when}\n\n{link}", "no }"],
    ["without a required placeholder", "See you {when}.", "needs {link}"],
    ["with the button inside a sentence", "Press {link} now.", "Put {link} once"],
    ["with the button twice", "{link}\n\n{link}", "Put {link} once"],
  ];
  test.each(BODIES)("is refused %s", (_, body, sentence) => {
    expect(problem({ body })).toEqual({ field: "body", message: expect.stringContaining(sentence) as string });
  });

  test.each(["{amount}", "{first name}", "{link}", "{x}"])("is refused with %s in the subject", (subject) => {
    expect(problem({ subject })?.field).toBe("subject");
  });

  test("is accepted when all its placeholders are allowed", () => {
    expect(problem({ subject: "{practice}: {when}" })).toBeNull();
  });
});

test.each([
  ["https://evil.example", true],
  ["(HTTP:\\\\evil.example/x)", true],
  ["www.evil.example.", true],
  ["evil.example/pay", true],
  ["https://practice.example@evil.example", true],
  ["https://practice.example/appointments", false],
  ["practice.example", false],
  ["Ana Ruiz, M.Ed. Write to ana@practice.example at 9 a.m. or 1.5 hours later: {link}", false],
])("findForeignLink tells whether %s links to another site", (text, isForeign) => {
  expect(findExternalLink(text, "practice.example") !== null).toBe(isForeign);
});
