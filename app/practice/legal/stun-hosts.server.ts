import { env } from "../../env.server.ts";

/**
 * Returns the hosts of the STUN servers, which receive the network addresses of families, as "a and b"; "" if there are
 * none.
 */
export function formatStunHosts(): string {
  const hosts = env.video.stunUrls.map((url) => url.replace(/^stuns?:|:\d+$/g, ""));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(new Set(hosts));
}
