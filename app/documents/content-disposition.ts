import { singleLine } from "../http/text-hygiene.ts";

/**
 * Names a file for the browser (RFC 6266): once in plain letters, once in full. What separates folders is no part of a
 * name, and nothing in it can end the header.
 */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const name = singleLine(fileName.toWellFormed()).replace(/[/\\]/g, "-");
  const asciiName = name.replace(/[^\x20-\x7e]/gu, "_").replace(/["%]/g, "_");
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}
