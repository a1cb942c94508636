// Proves each limit of typed and sent data at its edge: the maximum is accepted, one more is refused.
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  secondFactorCodeSchema,
  emailFieldsSchema,
  currentPasswordSchema,
  passwordChangeSchema,
  profileSchema,
  signInApiSchema,
  signInSchema,
  linkTokenSchema,
} from "../../app/accounts/account-schemas.ts";
import { apiBookingSchema } from "../../app/booking/booking-schemas.ts";
import { cardPaymentSchema, inPersonPaymentSchema, refundSchema } from "../../app/checkout/payment-schemas.ts";
import { consultationRequestSchema } from "../../app/consultation-requests/consultation-request-schemas.ts";
import { hoursOverrideSchema } from "../../app/dashboard/calendar/hours-override-schema.ts";
import { cancellationSchema } from "../../app/dashboard/appointment/appointment-schemas.ts";
import { familyBookingSchema, scheduleRequestDialogSchema } from "../../app/dashboard/scheduling/scheduling-schemas.ts";
import { safeEntryName } from "../../app/documents/download/archive-entry-names.ts";
import { uploadSchema } from "../../app/documents/document-schemas.ts";
import { noteSchema } from "../../app/booking/notes/note-schema.ts";
import { parseId } from "../../app/http/field-schemas.ts";
import { countPages, readPageNumber, readSearchText, splitSearchTerms } from "../../app/http/list-query.ts";
import { INTAKE_QUESTIONS } from "../../app/intake/intake-questions.ts";
import { intakeFormSchema } from "../../app/intake/intake-schemas.ts";
import { parseClientSignal } from "../../app/video/client-signal-schema.server.ts";

const ZONE = "America/New_York";
const LONG = 5_000;

/** The fields of each form with the most characters that they take. */
const LENGTHS: [name: string, schema: z.ZodType, fields: Record<string, number>][] = [
  ["the profile", profileSchema, { firstName: 100, lastName: 100, phone: 50 }],
  ["the second-factor code", secondFactorCodeSchema, { code: 40 }],
  ["sign-in", signInApiSchema, { password: 72, code: 40 }],
  ["the password for second-factor settings", currentPasswordSchema, { password: 720 }],
  ["a password change", passwordChangeSchema, { currentPassword: 720, newPassword: 72 }],
  ["a link's token", linkTokenSchema, { token: 200 }],
  ["a booking", apiBookingSchema, { title: 255, description: LONG, notes: LONG }],
  ["a card payment", cardPaymentSchema, { sourceId: 1_000, idempotencyKey: 255 }],
  ["an in-person payment", inPersonPaymentSchema, { note: 500 }],
  ["a refund", refundSchema, { amount: 255, reason: 500 }],
  [
    "a consultation request",
    consultationRequestSchema,
    { firstName: 100, lastName: 100, phone: 50, serviceNeeds: LONG, message: LONG },
  ],
  ["an hours override", hoursOverrideSchema, { note: 200 }],
  ["a cancellation", cancellationSchema, { reason: 500 }],
  ["scheduling a request", scheduleRequestDialogSchema(ZONE), { title: 255 }],
  ["booking for a family", familyBookingSchema(ZONE), { title: 255, description: LONG, notes: LONG }],
  ["an upload", uploadSchema, { customFileName: 500, description: LONG }],
  ["a note", noteSchema, { text: LONG }],
  [
    "the intake form",
    intakeFormSchema,
    {
      fullName: 255,
      phoneNumber: 50,
      address: LONG,
      childName: 255,
      childAge: 100,
      childBirthday: 100,
      schoolName: 255,
      gradeLevel: 50,
      otherConcerns: LONG,
      additionalNotes: LONG,
    },
  ],
];

const CASES = LENGTHS.flatMap(([name, schema, fields]) =>
  Object.entries(fields).map(([field, max]) => [name, field, max, schema] as const),
);

/** The messages about one field; those about others, which are missing, don't count. */
function problemsOf(schema: z.ZodType, field: string, value: unknown): string[] {
  const { error } = schema.safeParse({ [field]: value });
  return (error?.issues ?? []).filter(({ path }) => path[0] === field).map(({ message }) => message);
}

describe("the maximum length", () => {
  test.each(CASES)("of %s, field %s, is %i characters", (_, field, max, schema) => {
    const character = field === "phone" ? "1" : "x";
    expect(problemsOf(schema, field, character.repeat(max))).toEqual([]);
    expect(problemsOf(schema, field, character.repeat(max + 1))).toHaveLength(1);
  });

  test("counts a letter with its accent, or an emoji, as one character", () => {
    for (const letter of ["e\u0301", "👩"]) {
      expect(problemsOf(profileSchema, "firstName", `x${letter.repeat(99)}`)).toEqual([]);
      expect(problemsOf(profileSchema, "firstName", `x${letter.repeat(100)}`)).toHaveLength(1);
    }
  });

  test("before invisible characters are removed is ten times the stored maximum", () => {
    expect(problemsOf(profileSchema, "firstName", `x${"\u200b".repeat(999)}`)).toEqual([]);
    expect(problemsOf(profileSchema, "firstName", `x${"\u200b".repeat(1000)}`)).toHaveLength(1);
  });

  test("in the intake schema equals the maxLength of each question", () => {
    const fields = Object.entries(INTAKE_QUESTIONS).flatMap(([field, question]) =>
      "maxLength" in question && field !== "emailAddress" ? [[field, question.maxLength] as const] : [],
    );
    expect(fields.length).toBeGreaterThan(5);
    for (const [field, max] of fields) {
      expect([field, problemsOf(intakeFormSchema, field, "x".repeat(max))]).toEqual([field, []]);
      expect(problemsOf(intakeFormSchema, field, "x".repeat(max + 1))).toHaveLength(1);
    }
  });
});

test("an email address has 254 characters at most", () => {
  // The longest name before the @, and a host of labels that are not too long.
  const address = (length: number) => `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(9).slice(0, length - 65)}.com`;
  expect([address(254).length, problemsOf(emailFieldsSchema, "email", address(254))]).toEqual([254, []]);
  expect(problemsOf(emailFieldsSchema, "email", address(255))).toHaveLength(1);
});

test("a password has at least 6 characters and at most 72 bytes, including non-ASCII letters", () => {
  const problems = (password: string) => problemsOf(signInSchema, "password", password);
  expect([problems("12345"), problems("123456")].map(({ length }) => length)).toEqual([1, 0]);
  expect([problems("é".repeat(36)), problems("é".repeat(37))].map(({ length }) => length)).toEqual([0, 1]);
});

test("a meeting link has 2,000 characters at most", () => {
  const link = (length: number) => `https://example.com/${"x".repeat(length - 20)}`;
  expect(problemsOf(apiBookingSchema, "meetingLink", link(2000))).toEqual([]);
  expect(problemsOf(apiBookingSchema, "meetingLink", link(2001))).toHaveLength(1);
});

test("a place has 200 characters at most, counted as people see them, and is one line", () => {
  expect(problemsOf(apiBookingSchema, "place", "😀".repeat(200))).toEqual([]);
  expect(problemsOf(apiBookingSchema, "place", "😀".repeat(201))).toHaveLength(1);
  const booking = { title: "Consultation", appointmentDate: "2027-01-04T15:00:00Z", place: " A\r\nB\u202e\tC " };
  expect(apiBookingSchema.parse(booking).place).toBe("A B C");
});

test("an id is a number from 1 to 2,147,483,647", () => {
  expect([parseId("2147483647"), parseId("2147483648"), parseId("1"), parseId("0")]).toEqual([
    2147483647,
    null,
    1,
    null,
  ]);
});

test("a search uses at most 100 characters and 5 words; a page number is at most 100,000", () => {
  const search = (text: string) => readSearchText(new URLSearchParams({ q: text }));
  expect([search("x".repeat(100)).length, search("x".repeat(101)).length]).toEqual([100, 100]);
  expect(search(`${" ".repeat(999)}x`)).toBe("x");
  expect(search(`${" ".repeat(1000)}x`)).toBe("");
  expect(splitSearchTerms("a b c d e f")).toEqual(["a", "b", "c", "d", "e"]);
  const page = (text: string) => readPageNumber(new URLSearchParams({ page: text }));
  expect([page("100000"), page("100001"), page("1"), page("0")]).toEqual([100_000, 100_000, 1, 1]);
  expect([countPages(0), countPages(25), countPages(26)]).toEqual([1, 1, 2]);
});

test("a file name in an archive has at most 240 bytes, including its extension", () => {
  const lengths = [240, 241].map((length) => safeEntryName(`${"x".repeat(length - 4)}.pdf`).length);
  expect(lengths).toEqual([240, 240]);
  expect(safeEntryName("x".repeat(240))).toBe("x".repeat(240));
});

describe("a video call signal", () => {
  const isTaken = (type: string, payload: unknown, appointmentId: unknown = 1) =>
    parseClientSignal(JSON.stringify({ type, appointmentId, payload })) !== null;

  test.each([
    ["chat", "text", 2_000],
    ["ice-candidate", "candidate", 4_096],
    ["ice-candidate", "sdpMid", 4_096],
    ["ice-candidate", "usernameFragment", 4_096],
    ["join-room", "page", 64],
  ])("%s has a %s of at most %i characters", (type, field, max) => {
    expect(isTaken(type, { [field]: "x".repeat(max) })).toBe(true);
    expect(isTaken(type, { [field]: "x".repeat(max + 1) })).toBe(false);
  });

  test("needs a non-empty chat text, an sdpMLineIndex from 0 to 65,535 and a valid appointment id", () => {
    expect([isTaken("chat", { text: "x" }), isTaken("chat", { text: "" })]).toEqual([true, false]);
    const lines = [0, 65_535, -1, 65_536].map((sdpMLineIndex) => isTaken("ice-candidate", { sdpMLineIndex }));
    expect(lines).toEqual([true, true, false, false]);
    const ids = [1, 2_147_483_647, 0, 2_147_483_648].map((id) => isTaken("leave-room", null, id));
    expect(ids).toEqual([true, true, false, false]);
  });
});
