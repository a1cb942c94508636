/** What the simulator's cards do. A real card number is none of them, and none of them is a real card number. */
export type CardOutcome = {
  /** The token that the card form gives for it, named after Square's own for its sandbox where there is one. */
  token: string;
  number: string;
  /** What happens, for whoever tries it out. */
  about: string;
  /** Why the bank says no, by Square's name for it. */
  declined?: string;
  /** The bank asks the family first; milliseconds. */
  asksForMs?: number;
  isDown?: true;
};

export const SIMULATED_CARDS: readonly CardOutcome[] = [
  { token: "cnon:card-nonce-ok", number: "1111 1111 1111 1111", about: "is charged" },
  {
    token: "cnon:card-nonce-declined",
    number: "1111 1111 1111 0002",
    about: "is declined",
    declined: "GENERIC_DECLINE",
  },
  {
    token: "cnon:card-nonce-insufficient-funds",
    number: "1111 1111 1111 9995",
    about: "has not enough money",
    declined: "INSUFFICIENT_FUNDS",
  },
  {
    token: "cnon:card-nonce-rejected-cvv",
    number: "1111 1111 1111 0127",
    about: "has another security code",
    declined: "CVV_FAILURE",
  },
  {
    token: "cnon:card-nonce-rejected-expiration",
    number: "1111 1111 1111 0069",
    about: "has expired",
    declined: "INVALID_EXPIRATION",
  },
  {
    token: "cnon:card-nonce-asks-first",
    number: "1111 1111 1111 3220",
    about: "is charged after the bank has asked (3-D Secure), two seconds later",
    asksForMs: 2_000,
  },
  {
    token: "cnon:card-nonce-outage",
    number: "1111 1111 1111 0119",
    about: "meets a provider that is down",
    isDown: true,
  },
];

/** The card behind what was typed or sent: its number however it is spaced, or its token. */
export function findSimulatedCard(typed: string): CardOutcome | undefined {
  const digits = typed.replace(/[\s-]/g, "");
  return SIMULATED_CARDS.find(({ token, number }) => token === typed.trim() || number.replaceAll(" ", "") === digits);
}
