import { request as send } from "node:http";
import { deflateRawSync } from "node:zlib";
import { TestResponse, type TestClient } from "./http-client.ts";

export const BOUNDARY = "----a-boundary-of-the-tests";

export type Part = { name: string; value?: string; fileName?: string; bytes?: Buffer; type?: string };

/** The smallest files that are what they say. */
export const SAMPLES: Record<string, Buffer> = {
  pdf: Buffer.from(
    "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
    "latin1",
  ),
  doc: Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1024)]),
  docx: zip([
    ["[Content_Types].xml", "<Types/>"],
    ["word/document.xml", "<w:document/>"],
  ]),
  txt: Buffer.from("Dear Ms. Kim,\r\n\r\nLeo reads better in the morning.\r\n"),
  jpg: Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex"),
  jpeg: Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex"),
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
  gif: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  bmp: Buffer.concat([
    Buffer.from("BM"),
    Buffer.from([0x3a, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 0x28, 0, 0, 0]),
    Buffer.alloc(40),
  ]),
  tiff: Buffer.concat([Buffer.from("49492a0008000000", "hex"), Buffer.alloc(64)]),
  mp4: Buffer.concat([
    Buffer.from("000000206674797069736f6d0000020069736f6d69736f32617663316d703431", "hex"),
    Buffer.alloc(64),
  ]),
  mov: Buffer.concat([
    Buffer.from("00000014667479707174202000000000717420200000000866726565", "hex"),
    Buffer.alloc(64),
  ]),
  avi: Buffer.concat([Buffer.from("RIFF\x24\x00\x00\x00AVI LIST", "latin1"), Buffer.alloc(64)]),
  mkv: Buffer.from("1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b614287810142858101", "hex"),
  webm: Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701000000", "hex"),
  mp3: Buffer.concat([
    Buffer.from("ID3\x03\x00\x00\x00\x00\x00\x0a", "latin1"),
    Buffer.alloc(10),
    Buffer.from("fffb9000", "hex"),
    Buffer.alloc(413),
  ]),
  wav: Buffer.concat([Buffer.from("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00", "latin1"), Buffer.alloc(64)]),
  zip: zip([["letter.txt", "Dear Ms. Kim"]]),
  rar: Buffer.concat([Buffer.from("526172211a070100", "hex"), Buffer.alloc(64)]),
  heic: Buffer.concat([Buffer.from("0000001866747970686569630000000068656963", "hex"), Buffer.alloc(64)]),
  heif: Buffer.concat([Buffer.from("00000018667479706d696631000000006d696631", "hex"), Buffer.alloc(64)]),
};

/** A text of so many bytes that no two of its segments are alike. */
export function textFile(bytes: number): Buffer {
  const line = (number: number) => `${String(number).padStart(12, "0")} Leo reads better in the morning.\n`;
  const length = line(0).length;
  const whole = Buffer.alloc(Math.ceil(bytes / length) * length);
  for (let number = 0; number * length < whole.length; number += 1) whole.write(line(number), number * length);
  return whole.subarray(0, bytes);
}

export function multipart(parts: Part[]): Buffer {
  return Buffer.concat([...parts.map(encodePart), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function encodePart({ name, value = "", fileName, bytes, type = "application/octet-stream" }: Part): Buffer {
  const file =
    fileName === undefined
      ? ""
      : `; filename="${fileName.replaceAll('"', "%22").replace(/\r\n?|\n/g, "%0D%0A")}"\r\nContent-Type: ${type}`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    bytes ?? Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
}

export type UploadOptions = { fileName?: string; bytes?: Buffer; type?: string; fields?: Record<string, string> };

/** The parts as the specification's client sends them: the file first. */
export function uploadParts({
  fileName = "letter.txt",
  bytes = SAMPLES.txt,
  type,
  fields = {},
}: UploadOptions = {}): Part[] {
  const all = { description: "", customFileName: "Letter from school", isSharedWithClient: "true", ...fields };
  return [{ name: "file", fileName, bytes, type }, ...Object.entries(all).map(([name, value]) => ({ name, value }))];
}

export function postParts(
  client: TestClient,
  parts: Part[] | Buffer,
  headers: Record<string, string> = {},
  path = "/api/documents",
) {
  return client.request("POST", path, {
    headers: { Origin: client.origin, "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
    body: Buffer.isBuffer(parts) ? parts : multipart(parts),
  });
}

/** Uploads one file through the API. */
export function uploadFile(client: TestClient, sending: UploadOptions = {}): Promise<TestResponse> {
  return postParts(client, uploadParts(sending));
}

/** Uploads a file, and fails where that is refused; its id. */
export async function uploadOrFail(client: TestClient, bytes: Buffer): Promise<number> {
  const response = await uploadFile(client, { bytes });
  if (response.status !== 201) throw new Error(`The upload was refused: ${response.status} ${response.text}`);
  return response.json.id as number;
}

/** Sends a body piece by piece, without saying how long it is; an answer may come before its end. */
export function postStreaming(
  client: TestClient,
  headers: Record<string, string | number>,
  body: (write: (piece: Buffer) => Promise<void>) => Promise<void>,
  path = "/api/documents",
) {
  const { hostname, port, host } = new URL(client.origin);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = send({
    hostname: hostname === "localhost" ? "127.0.0.1" : hostname,
    port,
    agent: false,
    method: "POST",
    path,
    headers: {
      Host: host,
      Origin: client.origin,
      Cookie: cookie,
      // As every browser asks. With "close" a sender that is answered before its end may be cut off unread.
      Connection: "keep-alive",
      "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });
  const answer = new Promise<TestResponse>((resolve, reject) => {
    sent.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve(new TestResponse(response.statusCode ?? 0, response.headers, Buffer.concat(parts))),
      );
    });
    sent.on("error", reject);
  });
  const write = (piece: Buffer) => new Promise<void>((resolve) => void sent.write(piece, () => resolve()));
  const ended = body(write).then(() => sent.end());
  return { sent, answer, ended };
}

/** A ZIP archive, compressed, as any program makes it. */
export function zip(entries: [string, string | Buffer][]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(plain.length, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fixed, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fixed, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
