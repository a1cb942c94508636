import { env } from "../../env.server.ts";

/** The hosts of the STUN servers, as in "a and b", which learn the network addresses of families; "" without any. */
export function stunHosts(): string {
  const hosts = env.video.stunUrls.map((url) => url.replace(/^stuns?:|:\d+$/g, ""));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(new Set(hosts));
}
