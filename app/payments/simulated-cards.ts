/** A card of the simulator. Its number is not a valid card number, and no real number is accepted. */
export type SimulatedCard = {
  /** The token that the card form returns for it. Named after Square's sandbox token if there is one. */
  token: string;
  number: string;
  /** Result of a payment with this card, as shown to testers. */
  description: string;
  /** Square's error code for the decline. */
  declineCode?: string;
  /** Duration of the simulated 3-D Secure challenge, in milliseconds. */
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
    declineCode: "CARD_EXPIRED",
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

/** Finds a card by its number, with or without spaces and hyphens, or by its token. */
export function findSimulatedCard(numberOrToken: string): SimulatedCard | undefined {
  const digits = numberOrToken.replace(/[\s-]/g, "");
  return SIMULATED_CARDS.find(
    ({ token, number }) => token === numberOrToken.trim() || number.replaceAll(" ", "") === digits,
  );
}
