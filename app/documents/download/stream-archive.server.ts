import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createClosableStream, type ClosableStream } from "../../files/closable-stream.server.ts";

/** One file of an archive. `content` is read when the archive reaches it, and closed if the client disconnects. */
export type ArchiveEntry = {
  /** Safe as a path in an archive: see archive-entry-names.ts. */
  name: string;
  content: AsyncIterable<Uint8Array | string>;
  modifiedAt: Date;
  /** Set to compress the content, which is useless for most uploads because their formats are compressed. */
  isText?: true;
  /** Size in bytes, if known. The archive is aborted if the content has another size. */
  size?: number;
};

/**
 * Streams entries as one ZIP archive, one after another: the next entry is requested when the previous one has been
 * read. An error of an entry aborts the archive. Closing the stream closes the open entry.
 */
export async function streamArchive(entries: AsyncIterable<ArchiveEntry>): Promise<ClosableStream> {
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | null = null;
  // Without this listener, a first file that can't be opened would throw before anyone reads.
  output.on("error", () => {});
  zip.on("error", (error: Error) => output.destroy(error));
  const writeEntries = async () => {
    for await (const { name, content, modifiedAt, isText, size } of entries) {
      if (output.destroyed) {
        // Closed while the entry was being opened. Nobody will read it.
        await content[Symbol.asyncIterator]().return?.();
        return;
      }
      current = Readable.from(content, { objectMode: false });
      zip.addReadStream(current, name, {
        compress: isText === true,
        mtime: modifiedAt,
        ...(size !== undefined && { size }),
      });
      await finished(current);
    }
    zip.end();
  };
  void writeEntries().catch((error: unknown) => output.destroy(error as Error));
  const iterator = output[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  const close = async () => {
    output.destroy();
    current?.destroy();
  };
  return createClosableStream(() => iterator.next(), close);
}
