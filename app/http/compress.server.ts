import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = "br" | "gzip" | "identity";

/** The densest encoding that the visitor's browser takes. */
export function chooseEncoding(acceptEncoding: string | null | undefined): Encoding {
  const accepted = acceptEncoding ?? "";
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return "br";
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return "gzip";
  return "identity";
}

/** To hand over so little takes longer than to compress it: the whole of it costs a fifth of a millisecond. */
const AT_ONCE_BYTES = 64 * 1024;
/** 2 to the power of: what is compressed at once fits into it four times, and a larger window would first be cleared. */
const WINDOW_BITS = 18;

/** Compresses a finished text in one go; `quality` is brotli's, 3 for pages made on request and 11 for kept ones. */
export async function compress(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === "gzip") return zip(body, { level: quality > 6 ? 9 : 5 });
  if (encoding === "identity") return body;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  if (body.length > AT_ONCE_BYTES || quality > 6) return brotli(body, { params });
  return brotliCompressSync(body, { params: { ...params, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS } });
}
