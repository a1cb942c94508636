// Proves that docs/security.md quotes each promise of the legal pages and of the pages on family rights verbatim, that
// docs/asvs.md has each ASVS point, and that the tests they name exist.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRAFT_RETENTION_DAYS, TERMS_VERSION } from "../../app/practice/site-content.ts";
import { filesBelow, read } from "../support/source-files.ts";

const PAGES: Record<string, string[]> = {
  each: ["practice/legal/legal-page.tsx"],
  privacy: ["practice/legal/privacy-policy.tsx"],
  HIPAA: ["practice/legal/hipaa-compliance.tsx"],
  accessibility: ["practice/legal/accessibility-statement.tsx"],
  terms: ["practice/legal/terms-of-service.tsx"],
  agreements: ["consent-documents.ts", "consents-list.tsx", "consent.tsx", "signed-consent-page.tsx"].map(
    (file) => `consents/${file}`,
  ),
  deletion: ["delete-account", "erasure-consequences", "unconfirmed-email", "account-deleted", "cancel-erasure"].map(
    (file) => `data-rights/${file}.tsx`,
  ),
  data: ["data-rights/your-data.tsx", "data-rights/unconfirmed-email.tsx"],
  "access log": ["accounts/access-log/family-access-log.tsx"],
};
/** The terms and the privacy policy of each version, by the start of their hash. */
const HASHES: Record<string, string> = {
  "2025-01-01": "8a70c546fc85cf5b",
  "2026-11-26": "fe98c346de110025",
};
const ROW = /^\| (each|privacy|HIPAA|accessibility|terms|agreements|deletion|data|access log) \| "(.+)" \| (.+) \|$/gm;

const document = read("docs/security.md");
const asvs = read("docs/asvs.md");
/** How many points of level 1 and 2 each section of ASVS 5.0.0 has, by chapter: they are its first ones. */
const ASVS_SECTIONS = [
  [2, 9, 11, 3, 2],
  [3, 3, 4, 1],
  [0, 2, 4, 6, 5, 0, 2],
  [3, 1, 2, 4],
  [1, 3, 2, 3],
  [3, 12, 4, 4, 5, 3, 0, 4],
  [3, 4, 2, 5, 2, 2],
  [2, 3, 1, 1],
  [3, 4],
  [2, 2, 4, 11, 5, 2, 3],
  [2, 3, 3, 4, 1, 1],
  [3, 2, 4],
  [1, 5, 2, 5],
  [2, 4, 3],
  [3, 3, 7],
  [1, 5, 4, 3, 3],
  [1, 4, 2],
];
/** Words that a row of a point which is not met, or does not apply, begins with. */
const NOT_MET = "not met: ";
const DOES_NOT_APPLY = "does not apply: ";
const promises = [...document.matchAll(ROW)].map(([, page = "", sentence = "", proof = ""]) => ({
  page,
  sentence,
  proof,
}));
/** What promises nothing: facts, duties of the reader, lists. One "page | sentence" a line. */
const explanations = read("tests/practice/legal-explanations.txt").trim().split("\n");

/** The sentences of a page's source, without its tags: of paragraphs, items of lists, and what stands above and below. */
function sentencesOf(page: string): string[] {
  return (PAGES[page] ?? []).flatMap((file) => sentencesIn(read(`app/${file}`)));
}

function sentencesIn(source: string): string[] {
  const attributes = [...source.matchAll(/ (?:summary|about|lead)="([^"]+)"|^ +(?:summary: )?"([^"]+)",$/gm)].map(
    ([all, ...texts]) => [all, texts.join("")],
  );
  const blocks = [...source.matchAll(/<(?:p|li)\b[^>]*>([\s\S]*?)<\/(?:p|li)>/g)];
  return [...attributes, ...blocks].flatMap(([, text = ""]) =>
    text
      .replace(/\{" "\}|<[^>]+>/g, " ")
      .replace("{stunHosts}", "stun.cloudflare.com and stun.l.google.com")
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
  test("that docs/security.md quotes is on its page, complete and word for word", () => {
    expect(promises.length).toBeGreaterThan(75);
    expect(promises.filter(({ page, sentence }) => quotedOf(page, sentence).length === 0)).toEqual([]);
  });

  test("is either quoted as a promise or listed in legal-explanations.txt, which lists nothing else", () => {
    const open = Object.keys(PAGES).flatMap((page) => {
      const own = promises.filter((promise) => promise.page === page);
      const quoted = new Set(own.flatMap(({ sentence }) => quotedOf(page, sentence)));
      return sentencesOf(page)
        .filter((text) => !quoted.has(text))
        .map((text) => `${page} | ${text}`);
    });
    expect(open.toSorted()).toEqual(explanations.toSorted());
  });

  test("that is bold or names a number of days is quoted as a promise, not listed as an explanation", () => {
    const bold = ["each", "privacy", "HIPAA", "accessibility", "terms"].flatMap((page) =>
      [...read(`app/${PAGES[page]?.[0]}`).matchAll(/<strong>([^<:]+)<\/strong>/g)].map(([, words = ""]) =>
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

/** The files and folders of a pattern that a document names. */
function pathsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([file]) => file))];
}

/** A file of tests with the titles of some. */
const TITLED = /(tests\/[\w./-]+\.ts)((?: “[^”]+”)+)/g;

/** The tests that a document names by file and title. */
function testsIn(text: string): { file: string; title: string }[] {
  const named = text.replace(/\s+/g, " ").matchAll(TITLED);
  return [...named].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => ({ file, title })),
  );
}

function hasTest({ file, title }: { file: string; title: string }): boolean {
  const titles = read(file).matchAll(/(?:\btest\(|\btest\.each\([^)]*\)\(|\]\)\()\s*["`]([^"`]+)["`]/g);
  return [...titles].some(([, each]) => each === title);
}

/** What people do, without who does it or where the program ends: "*conduct*: …" or "*conduct* (…)". */
const UNEXPLAINED = /\*conduct\*(?!: \w| \(\w)/;

describe("docs/security.md", () => {
  test("names a test by title for each legal promise, or says why it is conduct that can't be tested", () => {
    const isHeld = (proof: string) => testsIn(proof).length > 0 || proof.startsWith("*conduct*");
    // A file alone, or a folder, would hold a promise whatever its tests prove.
    const isUntitled = (proof: string) => proof.replace(TITLED, "").includes("tests/");
    const open = promises.filter(({ proof }) => !isHeld(proof) || isUntitled(proof) || UNEXPLAINED.test(proof));
    expect(open).toEqual([]);
  });

  test("names a test for each promise of its own and for each HIPAA 164.312 row", () => {
    const [, list = ""] = /\n## Promises\n([\s\S]*?)\n## /.exec(document) ?? [];
    const bullets = list.split(/\n- /).slice(1);
    expect(bullets.length).toBeGreaterThan(20);
    expect(bullets.filter((bullet) => !bullet.includes("tests/"))).toEqual([]);
    const [, points = ""] = /\n## HIPAA 164\.312([\s\S]*?)\n## Not promised/.exec(document) ?? [];
    const rows = points.split("\n").filter((line) => line.startsWith("| ("));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !row.includes("tests/"))).toEqual([]);
  });

  test("names only test files and folders that exist", () => {
    const named = pathsIn(document, /tests\/[\w./-]*\w/g);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("names tests only by titles that exist", () => {
    const named = testsIn(document);
    expect(named.length).toBeGreaterThan(25);
    expect(document.match(/“/g)).toHaveLength(named.length + 1);
    expect(named.filter((each) => !hasTest(each))).toEqual([]);
  });
});

describe("docs/asvs.md", () => {
  const rows = [...asvs.matchAll(/^\| ([\d.]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, point = "", words = "", answer = ""]) => ({ point, words, answer }),
  );

  test("has a row for each point of level 1 and 2, in order, and for no other", () => {
    const points = ASVS_SECTIONS.flatMap((sections, chapter) =>
      sections.flatMap((count, section) =>
        Array.from({ length: count }, (_, point) => `${chapter + 1}.${section + 1}.${point + 1}`),
      ),
    );
    expect(points).toHaveLength(253);
    expect(rows.map(({ point }) => point)).toEqual(points);
    expect(asvs.match(/^\| \d/gm)).toHaveLength(points.length);
    expect(asvs.match(/^## V\d+ /gm)).toHaveLength(ASVS_SECTIONS.length);
    expect(rows.filter(({ words }) => words.split(" ").length > 12)).toEqual([]);
  });

  test("names the proof of each point, or why it is not met or does not apply; the totals are right", () => {
    const open = rows.filter(({ answer }) => answer.startsWith(NOT_MET));
    const foreign = rows.filter(({ answer }) => answer.startsWith(DOES_NOT_APPLY));
    const met = rows.filter((row) => !open.includes(row) && !foreign.includes(row));
    expect(met.filter(({ answer }) => !/\b(tests|app|docs)\//.test(answer))).toEqual([]);
    const [are, areNot, others] = [met.length, open.length, foreign.length];
    for (const text of [asvs, document])
      expect(text.replace(/\s+/g, " ")).toMatch(
        new RegExp(`253 points .*${are} are met, ${areNot} are not( met)?, and ${others} do not apply`),
      );
  });

  test("names only files that exist, and tests only by titles that exist", () => {
    const files = pathsIn(asvs, /(?<![\w./-])(?:app|bin|docs|tests|\.github)\/[\w./-]*\w/g);
    expect(files.length).toBeGreaterThan(120);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const named = testsIn(asvs);
    expect(named.length).toBeGreaterThan(150);
    expect(asvs.match(/“/g)).toHaveLength(named.length);
    expect(named.filter((each) => !hasTest(each))).toEqual([]);
  });
});

test("a change of the terms or the privacy policy requires a new TERMS_VERSION", () => {
  const texts = ["each", "privacy", "terms"].flatMap(sentencesOf).join("\n");
  const hash = createHash("sha256").update(texts).digest("hex").slice(0, 16);
  expect(
    HASHES[TERMS_VERSION],
    `The text of ${TERMS_VERSION} has changed (its hash is ${hash}). Set TERMS_VERSION to the day of the new words, so that families are asked again, then add the hash to HASHES; earlier ones stay.`,
  ).toBe(hash);
  const [newest] = Object.keys(HASHES).toSorted().toReversed();
  expect(newest).toBe(TERMS_VERSION);
});

test("each cookie's lifetime in the code is the one in the privacy policy", () => {
  const lifetimes: [file: string, lifetime: RegExp][] = [
    ["second-factor/pending-sign-in", /LIFETIME_MINUTES = 10;[\s\S]*maxAge: LIFETIME_MINUTES \* MINUTE_SECONDS/],
    [
      "passkeys/passkey-challenge",
      /CHALLENGE_LIFETIME_MINUTES = 5;[\s\S]*maxAge: CHALLENGE_LIFETIME_MINUTES \* MINUTE_SECONDS/,
    ],
    ["display-preferences", /maxAge: YEAR_SECONDS/],
    ["known-device", /maxAge: YEAR_SECONDS/],
    ["sessions/unsent-form", /LIFETIME_SECONDS = HOUR_SECONDS;[\s\S]*maxAge: LIFETIME_SECONDS/],
  ];
  const isSo = ([file, lifetime]: [string, RegExp]) => lifetime.test(read(`app/accounts/${file}.server.ts`));
  expect(lifetimes.filter((each) => !isSo(each))).toEqual([]);
});

test("no code records video visits, and only the listed files create cookies", () => {
  const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
  expect(sources.filter((file) => /MediaRecorder|document\.cookie|cookieStore/.test(read(file)))).toEqual([]);
  const setters = sources.filter((file) => read(file).includes("createCookie("));
  expect(setters.toSorted()).toEqual([
    "app/accounts/display-preferences.server.ts",
    "app/accounts/known-device.server.ts",
    "app/accounts/passkeys/passkey-challenge.server.ts",
    "app/accounts/second-factor/pending-sign-in.server.ts",
    "app/accounts/sessions/session-cookie.server.ts",
    "app/accounts/sessions/unsent-form.server.ts",
  ]);
});
