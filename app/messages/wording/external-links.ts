const SEPARATORS = /[\s"'()<>[\],;“”‘’«»]+/u;
const SCHEME = /^[a-z][a-z\d+.-]*:[/\\]*/i;
/** Matches text that mail clients turn into a link automatically. */
const HOST = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?=[/?#\\]|$)/u;
/** Matches an academic degree, such as M.Ed. */
const ABBREVIATION = /^\p{L}\.\p{L}+$/u;
const MAX_SHOWN_LENGTH = 60;

/**
 * Returns the first URL in a text that leads to another site than `ownHost`, shortened for display; null if there is
 * none.
 */
export function findExternalLink(text: string, ownHost: string): string | null {
  for (const word of text.split(SEPARATORS)) {
    const [scheme = ""] = SCHEME.exec(word) ?? [];
    const rest = word.slice(scheme.length).replace(/[.!?:]{1,5}$/u, "");
    const isAddress = /[/\\]$/.test(scheme);
    const host = isAddress ? rest.split(/[/?#\\]/u, 1)[0] : HOST.exec(rest)?.[0];
    if (host && host.toLowerCase() !== ownHost && !ABBREVIATION.test(rest)) return word.slice(0, MAX_SHOWN_LENGTH);
  }
  return null;
}
