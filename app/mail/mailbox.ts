/** Hosts that ignore the dots of an address, and the one name that each of them counts as. */
const DOTLESS_HOSTS: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/**
 * The mailbox of a normalized address (`normalizeEmail`), for limits alone: without its sub-address (`+school`), which
 * most hosts deliver to the same mailbox, and without dots where the host ignores them. No mail is sent to it.
 */
export function canonicalizeEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [host, [name = ""]] = [email.slice(at + 1), email.slice(0, at).split("+")];
  const dotlessHost = Object.hasOwn(DOTLESS_HOSTS, host) ? DOTLESS_HOSTS[host] : undefined;
  // Of "+tag@host" nothing is left: it is a mailbox of its own.
  if (name === "") return email;
  return dotlessHost ? `${name.replaceAll(".", "")}@${dotlessHost}` : `${name}@${host}`;
}

/** Hosts of very many people, each with a mailbox of their own under the host itself. */
const LARGE_HOSTS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net optonline.net
  optimum.net earthlink.net protonmail.com proton.me pm.me gmx.com gmx.net mail.com zoho.com`.split(/\s+/),
);

/**
 * The domain of a normalized address, for limits alone: its last two labels, because one person may receive the mail of
 * all addresses and subdomains there. Null for the hosts of very many people. Not the registrable domain: those of a state's
 * schools (`k12.nj.us`) count as one.
 */
export function rateLimitedDomain(email: string): string | null {
  const host = email.slice(email.lastIndexOf("@") + 1);
  return LARGE_HOSTS.has(host) ? null : host.split(".").slice(-2).join(".");
}
