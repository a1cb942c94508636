// The baseline of file-transfers.ts: pipes each posted body to a file and each GET from one, without any processing.
import { createReadStream, createWriteStream } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

const [port = "", folder = ""] = process.argv.slice(2);
let count = 0;

const server = createServer((request, response) => {
  if (request.method === "POST") {
    const file = createWriteStream(path.join(folder, `posted-${(count += 1)}`));
    request.pipe(file).once("finish", () => response.writeHead(201).end());
  } else createReadStream(path.join(folder, "file")).pipe(response);
});
server.listen(Number(port), "127.0.0.1");
process.on("message", () => process.send?.({ pid: process.pid }));
process.once("disconnect", () => process.exit());
