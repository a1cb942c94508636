// Proves that docs/security.md has each promise of the legal pages as it stands there, and names tests that exist.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRAFT_RETENTION_DAYS } from "../../app/practice/site-content.ts";
import { filesBelow, read } from "../support/source-files.ts";

const PAGES: Record<string, string> = {
  each: "legal-page",
  privacy: "privacy-policy",
  HIPAA: "hipaa-compliance",
  accessibility: "accessibility",
  terms: "terms-of-service",
};
const ROW = /^\| (each|privacy|HIPAA|accessibility|terms) \| "(.+)" \| (.+) \|$/gm;

const document = read("docs/security.md");
const promises = [...document.matchAll(ROW)].map(([, page = "", sentence = "", proof = ""]) => ({
  page,
  sentence,
  proof,
}));
/** What promises nothing: facts, duties of the reader, lists. One "page | sentence" a line. */
const explanations = read("tests/practice/legal-explanations.txt").trim().split("\n");

/** The sentences of a page's source, without its tags: of paragraphs, items of lists, and what stands above and below. */
function sentencesOf(page: string): string[] {
  const source = read(`app/practice/legal/${PAGES[page]}.tsx`);
  const attributes = [...source.matchAll(/ (?:summary|about)="([^"]+)"/g)];
  const blocks = [...source.matchAll(/<(?:p|li)\b[^>]*>([\s\S]*?)<\/(?:p|li)>/g)];
  return [...attributes, ...blocks].flatMap(([, text = ""]) =>
    text
      .replace(/\{" "\}|<[^>]+>/g, " ")
      .replace("{DRAFT_RETENTION_DAYS}", String(DRAFT_RETENTION_DAYS))
      .replace(/\s+/g, " ")
      .replace(/ ([.,:;])/g, "$1")
      .trim()
      .split(/(?<=[.!?])(?<!U\.S\.) (?=[A-Z])/),
  );
}

/** The sentences of a page, one after the other, that make up a quote; none where it begins or ends within one. */
function quotedOf(page: string, quote: string): string[] {
  const sentences = sentencesOf(page);
  for (const start of sentences.keys())
    for (let end = start + 1; end <= sentences.length; end += 1)
      if (sentences.slice(start, end).join(" ") === quote) return sentences.slice(start, end);
  return [];
}

describe("a sentence of a legal page", () => {
  test("that is quoted stands on its page, whole and word for word", () => {
    expect(promises.length).toBeGreaterThan(75);
    expect(promises.filter(({ page, sentence }) => quotedOf(page, sentence).length === 0)).toEqual([]);
  });

  test("that promises something is quoted; what promises nothing is listed, and nothing else is listed", () => {
    const open = Object.keys(PAGES).flatMap((page) => {
      const own = promises.filter((promise) => promise.page === page);
      const quoted = new Set(own.flatMap(({ sentence }) => quotedOf(page, sentence)));
      return sentencesOf(page)
        .filter((text) => !quoted.has(text))
        .map((text) => `${page} | ${text}`);
    });
    expect(open.toSorted()).toEqual(explanations.toSorted());
  });

  test("that is in bold, or names a number of days, is no mere explanation", () => {
    const bold = Object.values(PAGES).flatMap((file) =>
      [...read(`app/practice/legal/${file}.tsx`).matchAll(/<strong>([^<:]+)<\/strong>/g)].map(([, words = ""]) =>
        words.replace(/\s+/g, " "),
      ),
    );
    expect(bold.length).toBeGreaterThan(3);
    expect(bold.filter((words) => !promises.some(({ sentence }) => sentence.includes(words)))).toEqual([]);
    expect(explanations.filter((line) => /\bdays?\b(?<!every day)|\bwe (do not|never)\b/i.test(line))).toEqual([
      "terms | We are not a law firm, and we do not give medical care.",
    ]);
  });
});

describe("docs/security.md names for each promise", () => {
  const text = document.replace(/\s+/g, " ");

  test("its test, or says that it is conduct", () => {
    expect(promises.filter(({ proof }) => !/tests\/|\*conduct\*/.test(proof))).toEqual([]);
    const [, list = ""] = /\n## Promises\n([\s\S]*?)\n## /.exec(document) ?? [];
    const bullets = list.split(/\n- /).slice(1);
    expect(bullets.length).toBeGreaterThan(20);
    expect(bullets.filter((bullet) => !bullet.includes("tests/"))).toEqual([]);
    const [, points = ""] = /\n## HIPAA 164\.312([\s\S]*?)\n## Not promised/.exec(document) ?? [];
    const rows = points.split("\n").filter((line) => /^\| (\(|V\d)/.test(line));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/tests\/|\| not used/.test(row))).toEqual([]);
  });

  test("files and folders of tests that exist", () => {
    const named = [...text.matchAll(/tests\/[\w./-]*\w/g)].map(([file]) => file);
    expect(named.length).toBeGreaterThan(120);
    expect([...new Set(named)].filter((file) => !existsSync(file))).toEqual([]);
  });

  test("tests by the title that they have", () => {
    const named = [...text.matchAll(/(tests\/[\w./-]+\.ts)((?: “[^”]+”)+)/g)].flatMap(([, file = "", titles = ""]) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => ({ file, title })),
    );
    expect(named.length).toBeGreaterThan(25);
    expect(text.match(/“/g)).toHaveLength(named.length + 1);
    const titlesOf = (file: string) =>
      [...read(file).matchAll(/(?:\btest\(|\btest\.each\([^)]*\)\(|\]\)\()\s*"([^"]+)"/g)].map(([, title]) => title);
    expect(named.filter((each) => !titlesOf(each.file).includes(each.title))).toEqual([]);
  });
});

test("each cookie lasts as long as the policy says", () => {
  const lifetimes: [file: string, lifetime: RegExp][] = [
    ["second-factor/pending-sign-in", /LIFETIME_MINUTES = 10;[\s\S]*maxAge: LIFETIME_MINUTES \* MINUTE_SECONDS/],
    ["passkeys/challenge", /LIFETIME_MINUTES = 5;[\s\S]*maxAge: LIFETIME_MINUTES \* MINUTE_SECONDS/],
    ["display-preferences", /maxAge: YEAR_SECONDS/],
    ["known-device", /maxAge: YEAR_SECONDS/],
    ["sessions/unsent-form", /LIFETIME_SECONDS = HOUR_SECONDS;[\s\S]*maxAge: LIFETIME_SECONDS/],
  ];
  const isSo = ([file, lifetime]: [string, RegExp]) => lifetime.test(read(`app/accounts/${file}.server.ts`));
  expect(lifetimes.filter((each) => !isSo(each))).toEqual([]);
});

test("nothing records a visit, and the cookies are those that the policy tells of", () => {
  const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
  expect(sources.filter((file) => read(file).includes("MediaRecorder"))).toEqual([]);
  const setters = sources.filter((file) => read(file).includes("createCookie("));
  expect(setters.toSorted()).toEqual([
    "app/accounts/display-preferences.server.ts",
    "app/accounts/known-device.server.ts",
    "app/accounts/passkeys/challenge.server.ts",
    "app/accounts/second-factor/pending-sign-in.server.ts",
    "app/accounts/sessions/session-cookie.server.ts",
    "app/accounts/sessions/unsent-form.server.ts",
  ]);
});
