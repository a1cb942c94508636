import { normalizeSingleLine } from "../../http/normalize-text.ts";

/**
 * Returns the Content-Disposition header for a file (RFC 6266), with an ASCII `filename` and a UTF-8 `filename*`. Path
 * separators become dashes, and characters that could end the header are replaced or encoded.
 */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const name = normalizeSingleLine(fileName.toWellFormed()).replace(/[/\\]/g, "-");
  const asciiName = name.replace(/[^\x20-\x7e]/gu, "_").replace(/["%]/g, "_");
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}
