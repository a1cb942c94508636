import { type IncomingHttpHeaders, request } from "node:http";

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string };

/** The answer to a WebSocket handshake; status 101 when it is accepted, and the socket is closed then. */
export function shakeHands(url: URL, headers: Record<string, string>, localAddress?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const handshake = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    request(url, { headers: { ...handshake, ...headers }, ...(localAddress ? { localAddress } : {}) })
      .once("response", (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.once("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      })
      .once("upgrade", (answer, socket) => {
        socket.destroy();
        resolve({ status: 101, headers: answer.headers, text: "" });
      })
      .once("error", reject)
      .end();
  });
}
