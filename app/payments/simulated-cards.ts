/** What the simulator's cards do. A real card number is none of them, and none of them is a real card number. */
export type SimulatedCard = {
  /** The token that the card form gives for it, named after Square's own for its sandbox where there is one. */
  token: string;
  number: string;
  /** What happens, for whoever tries it out. */
  description: string;
  /** Why the bank says no, by Square's name for it. */
  declineCode?: string;
  /** The bank asks the family first; milliseconds. */
  challengeMs?: number;
  isOutage?: true;
};

export const SIMULATED_CARDS: readonly SimulatedCard[] = [
  { token: "cnon:card-nonce-ok", number: "1111 1111 1111 1111", description: "is charged" },
  {
    token: "cnon:card-nonce-declined",
    number: "1111 1111 1111 0002",
    description: "is declined",
    declineCode: "GENERIC_DECLINE",
  },
  {
    token: "cnon:card-nonce-insufficient-funds",
    number: "1111 1111 1111 9995",
    description: "has not enough money",
    declineCode: "INSUFFICIENT_FUNDS",
  },
  {
    token: "cnon:card-nonce-rejected-cvv",
    number: "1111 1111 1111 0127",
    description: "has another security code",
    declineCode: "CVV_FAILURE",
  },
  {
    token: "cnon:card-nonce-rejected-expiration",
    number: "1111 1111 1111 0069",
    description: "has expired",
    declineCode: "INVALID_EXPIRATION",
  },
  {
    token: "cnon:card-nonce-asks-first",
    number: "1111 1111 1111 3220",
    description: "is charged after the bank has asked (3-D Secure), two seconds later",
    challengeMs: 2_000,
  },
  {
    token: "cnon:card-nonce-outage",
    number: "1111 1111 1111 0119",
    description: "meets a provider that is down",
    isOutage: true,
  },
];

/** The card behind what was typed or sent: its number however it is spaced, or its token. */
export function findSimulatedCard(typed: string): SimulatedCard | undefined {
  const digits = typed.replace(/[\s-]/g, "");
  return SIMULATED_CARDS.find(({ token, number }) => token === typed.trim() || number.replaceAll(" ", "") === digits);
}
