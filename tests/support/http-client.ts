import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from "node:http";
// The build in one file: the package's 150 modules would cost each test file 0.12 s of CPU time.
import { parseHTML } from "linkedom/worker";
import { checkApiAnswer } from "./api-description.ts";

export type RequestOptions = { headers?: OutgoingHttpHeaders; body?: string | Buffer };

const sharedAgent = new Agent({ keepAlive: true });

/** A response, parsed as text, JSON or a document. */
export class TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  // A response has no type; the test asserts what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  get json(): any {
    return JSON.parse(this.text);
  }

  get document(): Document {
    return parseHTML(this.text).document;
  }

  /** The visible text of the page, white space collapsed. */
  get visibleText(): string {
    const { body } = this.document;
    for (const element of body.querySelectorAll("script, style, template")) element.remove();
    return (body.textContent ?? "").replace(/\s+/g, " ").trim();
  }

  /** The text of the card with this title; empty where there is none. */
  cardText(title: string): string {
    const card = [...this.document.querySelectorAll("section.card")].find(
      (each) => each.querySelector("h2")?.textContent?.trim() === title,
    );
    return (card?.textContent ?? "").replace(/\s+/g, " ");
  }
}

/**
 * An HTTP client with a cookie jar, whose requests have the headers of a same-origin page by default. It rejects an answer
 * of the API that the API's description does not allow.
 */
export class TestClient {
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  /** Source address; all of 127.0.0.0/8 is this machine. */
  ip = "127.0.0.1";
  agent = sharedAgent;
  private readonly port: string;

  /** `port` is where the process listens, when that is not what its public origin says. */
  constructor(origin: string, port: string = new URL(origin).port) {
    this.origin = origin;
    this.port = port;
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
    return this.request("GET", path, { headers });
  }

  post(path: string, json: unknown, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
    return this.request("POST", path, {
      headers: { ...this.sameOriginHeaders, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(json),
    });
  }

  delete(path: string, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
    return this.request("DELETE", path, { headers: { ...this.sameOriginHeaders, ...headers } });
  }

  /** Posts a page's form as a browser without scripts does. */
  form(
    path: string,
    fields: Record<string, string | string[]>,
    headers: OutgoingHttpHeaders = {},
  ): Promise<TestResponse> {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    return this.request("POST", path, {
      headers: { ...this.sameOriginHeaders, "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(pairs).toString(),
    });
  }

  /** Follows redirects, at most ten. */
  async follow(answer: TestResponse): Promise<TestResponse> {
    let last = answer;
    for (let step = 0; step < 10 && last.headers.location; step += 1) {
      const url = new URL(last.headers.location, this.origin);
      last = await this.get(url.pathname + url.search);
    }
    return last;
  }

  /** The request exactly as named: the path is not normalised, and no header is added but the cookies. */
  request(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<TestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = send(
        {
          hostname: "127.0.0.1",
          port: this.port,
          localAddress: this.ip,
          method,
          path,
          agent: this.agent,
          headers: { ...length, Host: new URL(this.origin).host, ...(cookie && { Cookie: cookie }), ...headers },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("error", reject);
          response.on("end", () => {
            this.storeCookies(response.headers["set-cookie"] ?? []);
            const answer = new TestResponse(response.statusCode ?? 0, response.headers, Buffer.concat(parts));
            try {
              checkApiAnswer(method, path, answer);
              resolve(answer);
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)));
            }
          });
        },
      );
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // An idle connection that the server closed at this very moment: the request was never read.
        const isStale = sent.reusedSocket && error.code === "ECONNRESET" && this.agent === sharedAgent;
        if (isStale) resolve(this.request(method, path, { headers, body }));
        else reject(error);
      });
      sent.end(body);
    });
  }

  /** A second browser with the same cookies, as they are now. */
  clone(): TestClient {
    const copy = new TestClient(this.origin, this.port);
    copy.ip = this.ip;
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  private get sameOriginHeaders() {
    return { Origin: this.origin, "Sec-Fetch-Site": "same-origin" };
  }

  /** Takes Set-Cookie values as a browser does. */
  storeCookies(setCookieHeaders: string[]) {
    for (const setCookieHeader of setCookieHeaders) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookieHeader) ?? [];
      if (/;\s*max-age=0\b/i.test(setCookieHeader) || value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
