/** Hosts that ignore dots in an address, with the name used for each of them. */
const DOTLESS_HOSTS: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/**
 * Returns the mailbox of a normalized address (`normalizeEmail`): without its sub-address (`+school`), which most hosts
 * deliver to the same mailbox, and without dots if the host ignores them. Used only for limits; no mail is sent to it.
 */
export function toRateLimitedMailbox(email: string): string {
  const atIndex = email.lastIndexOf("@");
  const [host, [name = ""]] = [email.slice(atIndex + 1), email.slice(0, atIndex).split("+")];
  const dotlessHost = Object.hasOwn(DOTLESS_HOSTS, host) ? DOTLESS_HOSTS[host] : undefined;
  // Nothing would be left of "+tag@host", so it counts as its own mailbox.
  if (name === "") return email;
  return dotlessHost ? `${name.replaceAll(".", "")}@${dotlessHost}` : `${name}@${host}`;
}

/** Mail hosts with a very large number of users, each with their own mailbox directly at the host. */
const LARGE_MAIL_HOSTS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net optonline.net
  optimum.net earthlink.net protonmail.com proton.me pm.me gmx.com gmx.net mail.com zoho.com`.split(/\s+/),
);

/**
 * Returns the domain of a normalized address: its last two labels, because one person may receive the mail of all
 * addresses and subdomains there. Used only for limits. Returns null for hosts with a very large number of users. This
 * is not the registrable domain: all schools of a state (`k12.nj.us`) count as one domain.
 */
export function toRateLimitedDomain(email: string): string | null {
  const host = email.slice(email.lastIndexOf("@") + 1);
  return LARGE_MAIL_HOSTS.has(host) ? null : host.split(".").slice(-2).join(".");
}
