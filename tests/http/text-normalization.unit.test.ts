// Proves how invisible characters and white space are removed from typed text.
import { describe, expect, test, vi } from "vitest";
import { newPasswordSchema, signInSchema } from "../../app/accounts/account-schemas.ts";
import { normalizeTitle } from "../../app/booking/prices/price-list.ts";
import { apiBookingSchema } from "../../app/booking/booking-schemas.ts";
import { safeEntryName, createEntryNamer } from "../../app/documents/download/archive-entry-names.ts";
import { contentDisposition } from "../../app/documents/download/content-disposition.ts";
import { uploadSchema } from "../../app/documents/document-schemas.ts";
import {
  optionalSingleLine,
  optionalMultiLineText,
  requiredSingleLine,
  requiredMultiLineText,
} from "../../app/http/field-schemas.ts";
import { readSearchText } from "../../app/http/list-query.ts";
import { normalizeMultiLine, normalizeSingleLine } from "../../app/http/normalize-text.ts";
import { normalizeEmail } from "../../app/normalize-email.ts";
import { normalizeUnicode } from "../../app/normalize-unicode.ts";

describe("a name or a title", () => {
  test.each([
    ["Maria\u202eAlvarez", "MariaAlvarez"],
    ["\u2066Maria\u2069 \u202aAlvarez\u202c", "Maria Alvarez"],
    ["\u200e\u200fMaria\u061c", "Maria"],
    ["\ufeffMa\u200bri\u2060a\u00ad", "Maria"],
    ["Ma\u200dri\u200ca", "Maria"],
    ["Maria\r\nBcc: x@example.com", "Maria Bcc: x@example.com"],
    ["Maria\tAlvarez\u0007", "Maria Alvarez"],
    ["Maria\u2028Alvarez\u2029", "Maria Alvarez"],
    ["Maria\u0085\u009bAlvarez", "Maria Alvarez"],
    ["Zoe\u0308", "Zoë"],
    ["Leo\u{e0041}\u{e0042}", "Leo"],
  ])("%j is normalized to %j", (typed, cleaned) => {
    expect(normalizeSingleLine(typed)).toBe(cleaned);
    expect(requiredSingleLine("The name").parse(typed)).toBe(cleaned);
    expect(normalizeSingleLine(cleaned)).toBe(cleaned);
  });

  test.each([
    "Zoë O'Brien-Núñez",
    "ליאו הקטן",
    "دو‌تایی",
    "می‌خواهم",
    "क्‍ष",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👩🏽‍🏫",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "児童 1️⃣",
    "Two  spaces",
  ])("%s is not changed", (typed) => {
    expect(normalizeSingleLine(typed)).toBe(typed);
  });

  test.each(["\u202e", " \u200b\ufeff", "\u200d", "\u0007", "\n"])("made of %j alone counts as empty", (typed) => {
    expect(requiredSingleLine("The name").safeParse(typed).success).toBe(false);
    expect(optionalSingleLine("The name").parse(typed)).toBeUndefined();
  });

  test.each(["\u3164", "\u2800 \u2800", "\u034f", "\u115f\u1160", "\uffa0", "\ufe0f", "\u{e0100}"])(
    "made of %j alone is invisible and refused in a required field",
    (typed) => {
      expect(requiredSingleLine("The name").safeParse(typed).success).toBe(false);
      expect(requiredMultiLineText("The text").safeParse(typed).success).toBe(false);
      expect(requiredSingleLine("The name").safeParse(`A${typed}`).success).toBe(true);
    },
  );

  test.each(["Ma\u0000ria", "Ma\ud800ria"])("with %j is refused", (typed) => {
    expect(requiredSingleLine("The name").safeParse(typed).success).toBe(false);
  });

  test("is measured after normalization", () => {
    expect(requiredSingleLine("The name", 5).parse(`${"\u200b".repeat(2)}Maria\u202e`)).toBe("Maria");
    expect(requiredSingleLine("The name", 5).safeParse("Mariaa").success).toBe(false);
    expect(requiredSingleLine("The name", 3).parse("Zoe\u0308")).toBe("Zoë");
  });
});

describe("combining marks on one letter", () => {
  const outOfOrder = (count: number) => `a${"\u0301".repeat(count / 2)}${"\u0316".repeat(count / 2)}`;
  const accents = (count: number) => "\u0301".repeat(count);
  const login = (email: string) => signInSchema.safeParse({ email, password: "kettle-and-cups" });

  test("are limited to 30; 31 are refused in every kind of field", () => {
    for (const schema of [requiredSingleLine, requiredMultiLineText, optionalSingleLine, optionalMultiLineText].map(
      (make) => make("The name"),
    )) {
      expect(schema.safeParse(`a${accents(30)}`).success).toBe(true);
      const refused = schema.safeParse(`a${accents(31)}`);
      expect(refused.error?.issues.map(({ message }) => message)).toEqual([
        "The name has too many accents on one letter.",
      ]);
    }
    expect(uploadSchema.safeParse({ customFileName: `a${accents(31)}` }).success).toBe(false);
    expect(login(`a${accents(31)}@x.de`).error?.issues.map(({ path }) => path)).toEqual([["email"]]);
    expect(newPasswordSchema.safeParse({ newPassword: `kettle${accents(31)}`, confirmPassword: "" }).success).toBe(
      false,
    );
  });

  test("in a run of 120,000 are refused or left as they are in every kind of text", () => {
    const text = outOfOrder(120_000);
    expect(login(`${text}@x.de`).success).toBe(false);
    const passwords = { newPassword: text, confirmPassword: text.slice(1) };
    expect(newPasswordSchema.safeParse(passwords).success).toBe(false);
    expect(newPasswordSchema.safeParse({ ...passwords, newPassword: "kettle-and-cups" }).success).toBe(false);
    for (const form of ["NFC", "NFD", "NFKC"] as const) expect(normalizeUnicode(text, form)).toBe(text);
    for (const halfwidth of ["\uff9e", "\uff9f"]) {
      const disguised = `a${`${"\u0316".repeat(30)}${halfwidth}`.repeat(4000)}`;
      expect(normalizeUnicode(disguised, "NFKC")).toBe(disguised);
    }
    expect(normalizeMultiLine(text)).toBe(text);
    expect(normalizeSingleLine("\u0301\u0316\u200b".repeat(60_000))).toHaveLength(120_000);
    expect(safeEntryName(text)).toBeTruthy();
    expect(normalizeTitle(text)).toBe(text);
    expect(normalizeEmail(text)).toBe(text);
    expect([...readSearchText(new URLSearchParams({ q: text }))]).toHaveLength(100);
  });

  test.each(["Trần Thị Phượng", "בְּרֵאשִׁ֖ית בָּרָ֣א", "བསྒྲུབས", "กรุ๊ปซิตี้", "हिन्दी ज़्यादा", "ﾊﾞｲｵﾘﾝ"])(
    "of ordinary text (%s) are accepted and normalized to NFC",
    (typed) => {
      for (const form of ["NFC", "NFD"] as const) {
        expect(normalizeSingleLine(typed.normalize(form))).toBe(typed.normalize("NFC"));
        expect(requiredMultiLineText("The note").parse(typed.normalize(form))).toBe(typed.normalize("NFC"));
      }
    },
  );

  test("(length limit) a text as sent may have ten times its maximum length, and not more", () => {
    expect(requiredSingleLine("The name", 5).parse(`Maria${"\u200b".repeat(45)}`)).toBe("Maria");
    const tooLong = requiredSingleLine("The name", 5).safeParse(`Maria${"\u200b".repeat(46)}`);
    expect(tooLong.error?.issues.map(({ message }) => message)).toEqual(["The name can have at most 5 characters."]);
  });
});

describe("a multi-line text", () => {
  test.each([
    ["Dear Ms. Kim,\r\n\tLeo reads.\rBetter.", "Dear Ms. Kim,\n\tLeo reads.\nBetter."],
    ["one\vtwo\fthree\u2028four\u2029five\u0085six", "one\ntwo\nthree\nfour\nfive\nsix"],
    ["bell\u0007, escape\u001b[2J, delete\u007f, C1\u009b", "bell, escape[2J, delete, C1"],
    ["Zoe\u0308", "Zoë"],
    ["👨‍👩‍👧 و می‌خواهم", "👨‍👩‍👧 و می‌خواهم"],
  ])("%j is normalized to %j", (typed, cleaned) => {
    expect(normalizeMultiLine(typed)).toBe(cleaned);
    expect(requiredMultiLineText("The note").parse(typed)).toBe(cleaned);
  });
});

describe("a meeting link", () => {
  const linkOf = (meetingLink: string) =>
    apiBookingSchema.safeParse({ title: "Consultation", appointmentDate: "2027-01-04T15:00:00Z", meetingLink });

  test.each(["https://zoom.us/j/1?pwd=a@b", "https://meet.example/a#@b", "HTTPS://zoom.us", "https://zoom.us/ж"])(
    "%s is accepted",
    (link) => {
      expect(linkOf(link)).toMatchObject({ success: true, data: { meetingLink: link } });
    },
  );

  test.each([
    "https://zoom.us@evil.example/j/1",
    "https://user:pass@evil.example",
    "https://:pass@evil.example",
    "https://@evil.example",
    "https://zoom.us\u202e/gpj.exe",
    "https://zoom.us/\u200f1",
    "https://zoom\u200b.us/1",
    "https://zoom.us/a\nb",
    "https://zoom.us/a\u0007",
    "https://zoom.us/a b",
    "https://zoom.us\\@evil.example",
    "http://zoom.us",
    "https:zoom.us",
    "//zoom.us",
    "javascript:alert(1)",
  ])("%j is refused", (link) => {
    const { success, error } = linkOf(link);
    expect([success, error?.issues.map(({ path }) => path)]).toEqual([false, [["meetingLink"]]]);
  });
});

describe("a document's name", () => {
  test.each([
    ["evil\u202etxt", "evil txt"],
    ["two\r\nlines", "two lines"],
    ["\u200fמכתב", "מכתב"],
    ["👨‍👩‍👧", "👨‍👩‍👧"],
  ])("%j is normalized to %j", (typed, cleaned) => {
    expect(uploadSchema.parse({ customFileName: typed }).customFileName).toBe(cleaned);
  });

  test("with control characters is sanitized in the Content-Disposition header", () => {
    const header = contentDisposition("attachment", "a\u202efdp\r\nX: y/../b\u200f.exe");
    expect(header).toBe(`attachment; filename="afdp X: y-..-b.exe"; filename*=UTF-8''afdp%20X%3A%20y-..-b.exe`);
  });
});

describe("a file name in an archive", () => {
  test.each([
    ["letter.txt", "letter.txt"],
    ["..hidden.txt", "_hidden.txt"],
    [".htaccess", "_htaccess"],
    ["a/b\\c.txt", "a-b-c.txt"],
    ["../../etc/passwd", "_-.-etc-passwd"],
    ["..", "_"],
    ["C:\\x.txt", "C--x.txt"],
    ["trailing. . .", "trailing"],
    ["two..dots.txt", "two.dots.txt"],
    ["CON", "_CON"],
    ["nul.txt", "_nul.txt"],
    ["Com1 .pdf", "_Com1 .pdf"],
    ["lpt9.tar.gz", "_lpt9.tar.gz"],
    ["CONTRACT.pdf", "CONTRACT.pdf"],
    ["COM10.pdf", "COM10.pdf"],
    ["a\u202efdp\n.exe", "afdp .exe"],
    ['<b>"x"|y?*.txt', "-b--x--y--.txt"],
    ["", "_"],
  ])("%j is written as %j", (name, written) => {
    expect(safeEntryName(name)).toBe(written);
  });

  test("is cut to 240 bytes and keeps its extension", () => {
    const name = safeEntryName(`${"👧".repeat(300)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    expect([name.isWellFormed(), name.endsWith("👧.pdf")]).toEqual([true, true]);
  });

  test("is made unique for 2,000 equal names with fewer than 10,000 normalizations", () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    const nameOf = createEntryNamer();
    const names = Array.from({ length: 2_000 }, (_, index) => nameOf(index % 2 ? "Plan.pdf" : "plan.PDF"));
    const normalizations = normalize.mock.calls.length;
    normalize.mockRestore();
    expect([new Set(names.map((name) => name.toLowerCase())).size, names.at(-1)]).toEqual([2_000, "Plan (2000).pdf"]);
    expect(normalizations).toBeLessThan(10_000);
  });

  test("is unique in its folder, ignoring case", () => {
    const nameOf = createEntryNamer();
    const names = ["plan.pdf", "PLAN.PDF", "plan.pdf", "plan (2).pdf"].map((name) => nameOf(name));
    expect(names).toEqual(["plan.pdf", "PLAN (2).PDF", "plan (3).pdf", "plan (2) (2).pdf"]);
    expect(nameOf("plan.pdf", "Maria (1)/")).toBe("Maria (1)/plan.pdf");
  });
});
