import { formatMonth } from "../../ui/format-date-time.ts";

/**
 * The files that a stolen session must not reach, with the label of each button. Only these can be in the URL of the
 * page that asks for the password, so that a forged link can't offer another file.
 */
const DOWNLOAD_LABELS_BY_PATH: readonly [RegExp, (period: string) => string][] = [
  [/^\/money\.csv\?period=(20\d{2}-(?:0[1-9]|1[0-2]))$/, (month) => `Download ${formatMonth(month)} (CSV)`],
  [/^\/money\.csv\?period=(20\d{2})$/, (year) => `Download ${year} (CSV)`],
  [/^\/families\/[1-9]\d{0,9}\/everything\.zip$/, () => "Download everything (ZIP)"],
  [/^\/requests\/[1-9]\d{0,9}\/everything\.json$/, () => "Download everything (JSON)"],
  [/^\/documents\/archive\.zip\?id=[1-9]\d{0,9}(?:&id=[1-9]\d{0,9}){1,199}$/, () => "Download the documents (ZIP)"],
  [/^\/everything-about-us\.zip$/, () => "Download everything (ZIP)"],
];

export const DOWNLOAD_PARAMETER = "download";

/** Returns the link to the file that was requested before the password was entered; null for any other URL. */
export function buildInterruptedDownloadLink(path: string | null): { href: string; text: string } | null {
  for (const [pattern, text] of DOWNLOAD_LABELS_BY_PATH) {
    const match = path === null ? null : pattern.exec(path);
    if (match) return { href: match[0], text: text(match[1] ?? "") };
  }
  return null;
}
