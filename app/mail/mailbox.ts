/** Hosts that ignore the dots of an address, and the one name that each of them counts as. */
const DOTLESS_HOSTS: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/**
 * The mailbox of a normalized address (`normalizeEmail`), for limits alone: without its sub-address (`+school`), which
 * most hosts deliver to the same mailbox, and without dots where the host ignores them. No mail is sent to it.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const [host, [name = ""]] = [address.slice(at + 1), address.slice(0, at).split("+")];
  const dotlessHost = Object.hasOwn(DOTLESS_HOSTS, host) ? DOTLESS_HOSTS[host] : undefined;
  // Of "+tag@host" nothing is left: it is a mailbox of its own.
  if (name === "") return address;
  return dotlessHost ? `${name.replaceAll(".", "")}@${dotlessHost}` : `${name}@${host}`;
}
