/** Bytes `from` up to and including `to`. */
export type ByteRange = { from: number; to: number };

/**
 * The one range a request asks for; "whole" where it asks for none, for several, or in words that say nothing (RFC 9110
 * lets all of these be answered in full); "none" where what it asks for lies beyond the end.
 */
export function parseRange(header: string | null, size: number): ByteRange | "whole" | "none" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "")
    return last === "0" || /^0+$/.test(last) ? "none" : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return "whole";
  return from >= size ? "none" : { from, to };
}
