import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { env } from "../env.server.ts";
import { log } from "./log.server.ts";

/**
 * Whose requests are counted together: the peer's address, or what the proxy in front says of it, in the one header
 * that the configuration names (Fly-Client-IP on Fly). No other header is believed, since visitors write them too; of a
 * list only the last entry is, which the nearest proxy wrote. One IPv6 household is one /64.
 */
export function clientIp(request: Pick<IncomingMessage, "headers" | "socket">): string {
  const forwarded = env.clientIpHeader ? request.headers[env.clientIpHeader] : undefined;
  const forwardedIp =
    String(forwarded ?? "")
      .split(",")
      .at(-1)
      ?.trim() ?? "";
  if (env.clientIpHeader && !isIP(forwardedIp)) warnOnce(env.clientIpHeader);
  const ip = isIP(forwardedIp) ? forwardedIp : (request.socket.remoteAddress ?? "unknown");
  const unmapped = ip.replace(/^::ffff:/i, "");
  return isIPv6(unmapped) ? ipv6Network(unmapped) : unmapped;
}

let hasWarned = false;

/** A wrong name would make all visitors one, and ten wrong passwords of anybody would keep the consultant out. */
function warnOnce(header: string): void {
  if (hasWarned) return;
  hasWarned = true;
  log.warn(
    `A request came without an address in ${header}, which VISITOR_ADDRESS_HEADER names: it counts as its peer's.`,
  );
}

function ipv6Network(ip: string): string {
  const [head = "", tail] = ip.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/**
 * The networks that an address of `clientAddress` belongs to, narrowest first: of IPv6 the /64 of a household, the /56
 * and the /48 that a provider may hand to one customer whole; of IPv4 the address alone.
 */
export function networksOf(address: string): string[] {
  const groups = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)::\/64$/.exec(address)?.slice(1);
  if (!groups) return [address];
  const site = groups.slice(0, 3).join(":");
  const subnet = (Number.parseInt(groups[3] ?? "0", 16) & 0xff00).toString(16);
  return [address, `${site}:${subnet}::/56`, `${site}::/48`];
}
