import { type IncomingHttpHeaders, request } from "node:http";

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string };

/** The answer to a WebSocket handshake; status 101 when it is accepted, and the socket is closed then. */
export function performHandshake(url: URL, headers: Record<string, string>, localAddress?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const handshake = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    request(url, { headers: { ...handshake, ...headers }, ...(localAddress ? { localAddress } : {}) })
      .once("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      })
      .once("upgrade", (response, socket) => {
        socket.destroy();
        resolve({ status: 101, headers: response.headers, text: "" });
      })
      .once("error", reject)
      .end();
  });
}
