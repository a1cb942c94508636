/**
 * Returns a mailto link with one recipient, a subject and a body. The parts may come from anonymous clients and are
 * encoded, so that none can add a header. The subject is a single line.
 */
export function composeMailto(email: string, subject: string, lines: readonly string[]): string {
  const atIndex = email.lastIndexOf("@");
  const recipient = `${encodeForMailto(email.slice(0, atIndex))}@${encodeForMailto(email.slice(atIndex + 1))}`;
  const body = lines.join("\r\n");
  return `mailto:${recipient}?subject=${encodeForMailto(toSingleLine(subject))}&body=${encodeForMailto(body)}`;
}

export function toSingleLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function encodeForMailto(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
