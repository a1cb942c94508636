import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { env } from "../env.server.ts";

/**
 * Whose requests are counted together: the peer's address, or what Fly's proxy says of it when the process runs
 * behind that proxy. X-Forwarded-For is never believed, since visitors write it. One IPv6 household is one /64.
 */
export function clientAddress(request: Pick<IncomingMessage, "headers" | "socket">): string {
  const forwarded = env.behindFly ? request.headers["fly-client-ip"] : undefined;
  const address = (typeof forwarded === "string" && forwarded) || request.socket.remoteAddress || "unknown";
  const mapped = address.replace(/^::ffff:/i, "");
  return isIPv6(mapped) ? household(mapped) : mapped;
}

function household(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
