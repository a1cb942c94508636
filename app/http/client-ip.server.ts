import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { env } from "../env.server.ts";
import { log } from "./log.server.ts";

/**
 * Returns the address used to count a client's requests: the peer's address, or the one in the header that
 * VISITOR_ADDRESS_HEADER names (Fly-Client-IP on Fly.io). Clients can set any other header. In a list, the last entry
 * is used, because the nearest proxy added it. An IPv6 address is reduced to its /64, which stands for one household.
 */
export function clientIp(request: Pick<IncomingMessage, "headers" | "socket">): string {
  const forwarded = env.clientIpHeader ? request.headers[env.clientIpHeader] : undefined;
  const forwardedIp =
    String(forwarded ?? "")
      .split(",")
      .at(-1)
      ?.trim() ?? "";
  if (env.clientIpHeader && !isIP(forwardedIp)) warnMissingClientIpOnce(env.clientIpHeader);
  const ip = isIP(forwardedIp) ? forwardedIp : (request.socket.remoteAddress ?? "unknown");
  const unmappedIp = ip.replace(/^::ffff:/i, "");
  return isIPv6(unmappedIp) ? ipv6Network(unmappedIp) : unmappedIp;
}

let hasWarned = false;

/**
 * Logs a warning once. With a wrong header name all visitors share one address, so ten wrong passwords would lock
 * everyone out.
 */
function warnMissingClientIpOnce(header: string): void {
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
 * Returns the networks of an address from `clientIp`, narrowest first. For IPv6: its /64, and the /56 and /48 that a
 * provider may assign to one customer. For IPv4: the address itself.
 */
export function networksOf(ip: string): string[] {
  const groups = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)::\/64$/.exec(ip)?.slice(1);
  if (!groups) return [ip];
  const site = groups.slice(0, 3).join(":");
  const subnet = (Number.parseInt(groups[3] ?? "0", 16) & 0xff00).toString(16);
  return [ip, `${site}:${subnet}::/56`, `${site}::/48`];
}
