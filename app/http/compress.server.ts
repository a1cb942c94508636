import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

export type Encoding = "br" | "gzip" | "identity";

/** The densest encoding that the visitor's browser takes. */
export function negotiateEncoding(acceptEncoding: string | null | undefined): Encoding {
  const accepted = acceptEncoding ?? "";
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return "br";
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return "gzip";
  return "identity";
}

/** To hand over so little takes longer than to compress it: the whole of it costs a fifth of a millisecond. */
const MAX_SYNC_BYTES = 64 * 1024;
const MAX_WINDOW_BITS = 22;

/** Compresses a finished text in one go; `quality` is brotli's, 3 for pages made on request and 11 for kept ones. */
export async function compress(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(body, { level: quality > 6 ? 9 : 5 });
  if (encoding === "identity") return body;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // All of the text, and no more: a window for megabytes is made ready first, and takes tens of them at the densest.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(MAX_WINDOW_BITS, Math.ceil(Math.log2(body.length + 1024)) + 1),
  };
  return body.length > MAX_SYNC_BYTES || quality > 6
    ? brotliAsync(body, { params })
    : brotliCompressSync(body, { params });
}
