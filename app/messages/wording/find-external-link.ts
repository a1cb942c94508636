const SEPARATOR_PATTERN = /[\s"'()<>[\],;“”‘’«»]+/u;
const SCHEME_PATTERN = /^[a-z][a-z\d+.-]*:[/\\]*/i;
/** Matches text that mail clients turn into a link automatically. */
const HOST_PATTERN = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?=[/?#\\]|$)/u;
/** Matches an academic degree, such as M.Ed. */
const ACADEMIC_DEGREE_PATTERN = /^\p{L}\.\p{L}+$/u;
const MAX_SHOWN_LENGTH = 60;

/**
 * Returns the first URL in a text that leads to another site than `ownHost`, shortened for display; null if there is
 * none.
 */
export function findExternalLink(text: string, ownHost: string): string | null {
  for (const word of text.split(SEPARATOR_PATTERN)) {
    const [scheme = ""] = SCHEME_PATTERN.exec(word) ?? [];
    const textWithoutScheme = word.slice(scheme.length).replace(/[.!?:]{1,5}$/u, "");
    const hasSlashes = /[/\\]$/.test(scheme);
    const host = hasSlashes ? textWithoutScheme.split(/[/?#\\]/u, 1)[0] : HOST_PATTERN.exec(textWithoutScheme)?.[0];
    if (host && host.toLowerCase() !== ownHost && !ACADEMIC_DEGREE_PATTERN.test(textWithoutScheme))
      return word.slice(0, MAX_SHOWN_LENGTH);
  }
  return null;
}
