/** How it was paid, within a sentence. */
export const METHOD_LABELS: Record<string, string> = {
  card: "by card",
  hosted: "by card, on the provider's page",
  cash: "in cash",
  check: "by check",
  other: "by other means",
};

/** Returns the payer's name and the payment method; without a name, only the method. */
export function paidByText(name: string | null, method: string): string {
  const methodLabel = METHOD_LABELS[method] ?? method;
  return name === null ? methodLabel.replace(/^(?:by|in) /, "") : `${name}, ${methodLabel}`;
}

export const IN_PERSON_METHODS = ["cash", "check", "other"] as const;
/** Checks whether a payment by this method was taken by the consultant herself. */
export function isInPersonMethod(method: string): boolean {
  return IN_PERSON_METHODS.some((each) => each === method);
}

export type InPersonMethod = (typeof IN_PERSON_METHODS)[number];

const IN_PERSON_LABELS = { cash: "Cash", check: "Check", other: "Other" } satisfies Record<InPersonMethod, string>;
export const IN_PERSON_OPTIONS = IN_PERSON_METHODS.map((value) => ({ value, label: IN_PERSON_LABELS[value] }));
