import { Transform } from "node:stream";

export class TooManyPartsError extends Error {
  override name = "TooManyPartsError";
}

/**
 * Returns a stream that passes a multipart body on until it has more than `maxParts` parts, then ends with
 * TooManyPartsError. Counts the delimiters without parsing: the parser creates a stream for each part of a chunk, also
 * for those after its own limit, and an empty part takes five bytes.
 */
export function createPartLimitTransform(boundary: string, maxParts: number): Transform {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const overlap = delimiter.length - 1;
  // The closing delimiter is one more.
  let remaining = maxParts + 1;
  // The first delimiter has no line break before it.
  let tail: Buffer = Buffer.from("\r\n");
  const count = (bytes: Buffer) => {
    for (let at = bytes.indexOf(delimiter); at >= 0 && remaining >= 0; at = bytes.indexOf(delimiter, at + overlap))
      remaining -= 1;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // A delimiter that begins in an earlier chunk.
      count(Buffer.concat([tail, chunk.subarray(0, overlap)]));
      count(chunk);
      if (remaining < 0) return done(new TooManyPartsError());
      tail = Buffer.concat([tail, chunk.subarray(-overlap)]).subarray(-overlap);
      done(null, chunk);
    },
  });
}
