import { globSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { z } from "zod";
import { fieldNames } from "../../app/http/form.server.ts";
import { routePaths } from "../support/route-table.ts";
import { encoded, type Entry, FORM, JSON_TYPE, oddBytes } from "./request-bodies.ts";
import { BASES, OTHER_PATHS, HEADERS, PIECES, RESERVED, SHORT, SUFFIXES } from "./request-values.ts";

export const ROLES = ["visitor", "family", "consultant", "ended"] as const;
export type Role = (typeof ROLES)[number];
export type Input = {
  role: Role;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
};

/** In an address: the id of the visit that was booked last. */
export const LATEST_VISIT = "~visit~";

/** The fields of every schema, found by what the modules export. */
const SCHEMA_FILES = globSync("app/**/{schemas,*-schema,*-schemas}.ts").filter(
  (file) => !/api-response|field-/.test(file),
);
const MODULES = await Promise.all(SCHEMA_FILES.map((file) => import(pathToFileURL(file).href) as Promise<object>));
const FIELDS = [...new Set(MODULES.flatMap((module) => Object.entries(module)).flatMap(formFields))];
/** Fields that a page writes itself: buttons, hidden fields, searches. */
const CONTROLS = [...new Set(globSync("app/**/*.tsx").flatMap((file) => controlNames(readFileSync(file, "utf8"))))];
const BUTTONS = ["comfort", "website", "startedAt", "service", "token", "confirmed"];
const QUERY = `q page when status day view date time duration type userId appointmentId sort id step redirectTo from
  service refresh again sent saved payment before _routes index paths p version year kind`.split(/\s+/);
/** Node refuses headers over 16 KiB; this leaves room for others. */
const MAX_QUERY_BYTES = 8_100;
const NAMES = [...FIELDS, ...CONTROLS, ...BUTTONS, ...QUERY];
const TYPES = [FORM, JSON_TYPE, "multipart/form-data; boundary=edge", "multipart/form-data", "text/plain", "x", ""];

const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...SHORT) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: repeated(20_000) },
);
const hugeText = repeated(300_000);
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SUFFIXES)).map((pair) => pair.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom(...RESERVED, `a${".a".repeat(3000)}`, `a${"[0]".repeat(3000)}`) },
);
const entry = fc.tuple(name, text);
const few = fc.array(entry, { maxLength: 12 });
/** Thousands of entries: one again and again, or each with a name of its own. */
const manyUpTo = (maxBytes: number) =>
  fc
    .tuple(entry, fc.boolean(), fc.integer({ min: 150, max: 60_000 }), fc.constantFrom("", "[", "."))
    .map(([[field, value], isSame, count, separator]) =>
      Array.from({ length: Math.min(count, maxBytes / (field.length + value.length + 6)) }, (_, index): Entry => [
        isSame ? field : `${field}${separator}${index.toString(36)}`,
        value,
      ]),
    );
const many = manyUpTo(260_000);
/** Fields that are nearly right, so that what lies behind the checks is reached. */
const almostValidText = fc
  .tuple(fc.constantFrom(...BASES), few, fc.integer({ min: 0, max: 2 }))
  .map(([base, wrong, count]) => [base, wrong.slice(0, count)] as const);
const body = fc.oneof(
  { weight: 5, arbitrary: almostValidText.chain(([base, wrong]) => encoded(base, wrong)) },
  { weight: 3, arbitrary: few.chain((entries) => encoded({}, entries)) },
  { weight: 1, arbitrary: many.chain((entries) => encoded({}, entries)) },
  { weight: 1, arbitrary: fc.tuple(name, hugeText).chain((one) => encoded({}, [one])) },
  { weight: 1, arbitrary: fc.tuple(oddBytes(), fc.constantFrom(...TYPES)) },
);
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }).map(String) },
  { weight: 2, arbitrary: fc.constant(LATEST_VISIT) },
  { weight: 2, arbitrary: text.map((value) => encodeURIComponent(value.toWellFormed()).slice(0, 3000)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "__proto__",
      "constructor",
      "%00",
      "%ff",
      "%0A",
      "%E2%80%A8",
      "..%2f..",
      "new",
      "-1",
      "%",
    ),
  },
);
/** An address with something in the place of each parameter, mostly of a route that takes what is sent. */
const pathOf = (all: typeof routePaths) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(fc.constantFrom(...all), segment, segment)
        .map(([{ path }, ...parts]) => filledForm(path, parts)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_PATHS) },
  );
const READ_METHODS = ["GET", "GET", "GET", "HEAD"];
const WRITE_METHODS = [...Array<string>(20).fill("POST"), "DELETE", "PUT", "PATCH", "OPTIONS"];
const target = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...READ_METHODS), pathOf(routePaths)) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...WRITE_METHODS), pathOf(routePaths.filter(acceptsForms))) },
);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  { weight: 3, arbitrary: few.map(queryOf) },
  { weight: 1, arbitrary: manyUpTo(MAX_QUERY_BYTES).map(queryOf) },
);
const header = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((key) => fc.tuple(fc.constant(key), fc.constantFrom(...(HEADERS[key] ?? []))));

/** One request of a stranger, a family, the consultant, or somebody whose sign-in has run out. */
export const input: fc.Arbitrary<Input> = fc
  .record({
    role: fc.constantFrom(...ROLES),
    target,
    isData: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0),
    query,
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(header, { maxLength: 2 }) },
    ),
    body,
  })
  .map(({ role, target: [method, address], isData, query: search, headers, body: [bytes, type] }) => {
    const isRead = ["GET", "HEAD", "OPTIONS"].includes(method);
    return {
      role,
      method,
      path: `${address}${isData ? ".data" : ""}${search}`,
      headers: { ...(isRead ? {} : { "content-type": type }), ...Object.fromEntries(headers) },
      ...(isRead ? {} : { body: bytes }),
    };
  });

function acceptsForms({ file }: (typeof routePaths)[number]): boolean {
  return /export (async )?function action|export const \{? ?(loader, )?action/.test(readFileSync(file, "utf8"));
}

function formFields([exported, value]: [string, unknown]): string[] {
  if (value instanceof z.ZodType) return fieldNames(value);
  if (typeof value !== "function" || !/(Shape|Schema)$/.test(exported)) return [];
  return fieldNames((value as (zone: string) => z.ZodType)("America/New_York"));
}

function controlNames(source: string): string[] {
  return [...source.matchAll(/\bname="([A-Za-z]\w*)"/g)].map(([, controlName = ""]) => controlName);
}

function repeated(maxBytes: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 0, max: maxBytes }), fc.constantFrom("", "!", "\u0000", '"'))
    .map(([piece, size, end]) => piece.repeat(size / piece.length) + end);
}

function filledForm(pattern: string, parts: string[]): string {
  let index = 0;
  return pattern.replace(/:[a-zA-Z]+|\*/g, () => parts[index++ % parts.length] ?? "1");
}

function queryOf(entries: Entry[]): string {
  const pairs = entries.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("="));
  return `?${pairs.join("&").slice(0, MAX_QUERY_BYTES)}`;
}
