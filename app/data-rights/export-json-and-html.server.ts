import { isUnreadable, UNREADABLE_PLACEHOLDER, UNREADABLE_SENTENCE } from "../db/text-encryption.server.ts";
import { env } from "../env.server.ts";
import { formatDateTime } from "../ui/format-date-time.ts";
import { escapeHtml } from "../http/escape-html.ts";
import type { ExportRecord } from "./format-exported-records.server.ts";
import type { ExportSection } from "./export-sections.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";

/** Contents of an export's files in addition to the records. */
export type ExportHeader = {
  name: string;
  exportedAt: Date;
  /** Sentences about what is held but not in this copy, and how to get it. */
  leftOut: string[];
};

/**
 * Yields data.json: every section under its key, in one object. Counts rows with unreadable texts in `unreadable`,
 * keyed by section title.
 */
export async function* streamDataJson(
  { name, exportedAt, leftOut }: ExportHeader,
  sections: readonly ExportSection[],
  unreadable: Map<string, number>,
): AsyncGenerator<string> {
  const { name: practice, phone, email } = env.practice;
  yield `{"exportedAt":${JSON.stringify(exportedAt)},"of":${JSON.stringify(name)},`;
  yield `"by":${JSON.stringify({ practice, phone, email })},"leftOut":${JSON.stringify(leftOut)}`;
  for (const { key, title, isSingle, rows } of sections) {
    yield `,\n${JSON.stringify(key)}:${isSingle ? "" : "["}`;
    let count = 0;
    for await (const row of rows()) {
      const json = JSON.stringify(row);
      if (isUnreadable(json)) unreadable.set(title, (unreadable.get(title) ?? 0) + 1);
      yield (count > 0 ? ",\n" : "") + replaceUnreadablePlaceholder(json);
      count += 1;
    }
    if (!isSingle) yield "]";
    else if (count === 0) yield "null";
  }
  yield `,\n"unreadable":${JSON.stringify(Object.fromEntries(unreadable))}}\n`;
}

const STYLE_SHEET = `
:root { color-scheme: light dark; --ground: #fbf7f0; --text: #22302f; --quiet: #52605e; --accent: #135e57; --line: #d9d2c4; }
@media (prefers-color-scheme: dark) { :root { --ground: #16201f; --text: #f0ede6; --quiet: #b9c4c1; --accent: #8fd3c8; --line: #3d4a48; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, footer { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem; overflow-wrap: anywhere; }
h1, h2 { font-family: Georgia, "Times New Roman", serif; line-height: 1.25; }
h2 { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.0625rem; }
a { color: var(--accent); }
nav li { margin: .35rem 0; }
dl { margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0 0 .6rem; white-space: pre-line; }
.notice { border-left: 4px solid var(--accent); padding: .25rem 0 .25rem .9rem; }
@media (min-width: 34rem) { dl { display: grid; grid-template-columns: 13rem 1fr; gap: .2rem 1rem; } dd { margin: 0; } }
@media print { nav { display: none; } h3 { break-after: avoid; } }`;

/**
 * Yields index.html: the same data for people, in one file that needs no network. `unreadable` comes from
 * `streamDataJson`.
 */
export async function* streamIndexHtml(
  { name, exportedAt, leftOut }: ExportHeader,
  sections: readonly ExportSection[],
  unreadable: ReadonlyMap<string, number>,
): AsyncGenerator<string> {
  const { name: practice, phone, email, timeZone } = env.practice;
  const title = `What ${practice} holds about ${name}`;
  const notices = [...leftOut, ...[...unreadable].map(([section, count]) => unreadableNotice(section, count))];
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE_SHEET}</style>
</head>
<body>
<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p>As of ${escapeHtml(formatDateTime(exportedAt, timeZone))}. The same is in data.json for programs, and your papers are in the folder documents.</p>
${notices.map((text) => `<p class="notice">${escapeHtml(text)}</p>`).join("\n")}
<nav aria-label="Contents"><ul>${sections.map((each) => `<li><a href="#${each.key}">${escapeHtml(each.title)}</a></li>`).join("")}</ul></nav>
`;
  for (const { key, title: heading, emptyText, rows, describe } of sections) {
    yield `<section aria-labelledby="${key}">\n<h2 id="${key}">${escapeHtml(heading)}</h2>\n`;
    let isEmpty = true;
    for await (const row of rows()) {
      yield replaceUnreadablePlaceholder(formatRecordHtml(describe(row)));
      isEmpty = false;
    }
    yield `${isEmpty ? `<p>${escapeHtml(emptyText)}</p>\n` : ""}</section>\n`;
  }
  yield `</main>
<footer><p>${escapeHtml(`${practice}, ${phone}, ${email}`)}. Something is wrong in here? Tell us, and we correct it.</p></footer>
</body>
</html>
`;
}

function formatRecordHtml({ heading, fields: facts, path }: ExportRecord): string {
  const text = escapeHtml(heading);
  const href = path?.split("/").map(encodeURIComponent).join("/");
  const rows = facts
    .filter(([, value]) => value)
    .map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value ?? "")}</dd>`);
  const title = `<h3 dir="auto">${href ? `<a href="${escapeHtml(href)}">${text}</a>` : text}</h3>`;
  return `${title}\n${rows.length > 0 ? `<dl>${rows.join("\n")}</dl>\n` : ""}`;
}

function unreadableNotice(section: string, count: number): string {
  const records = formatCountWithNoun(count, "record has", "records have");
  return `Under “${section}”, ${records} text that can’t be opened at the moment. It says so where the text is missing. Please call us.`;
}

/**
 * Replaces this process's placeholder for unreadable texts with the plain sentence. JSON does not escape the
 * placeholder's characters.
 */
function replaceUnreadablePlaceholder(text: string): string {
  return text.replaceAll(UNREADABLE_PLACEHOLDER, UNREADABLE_SENTENCE);
}
