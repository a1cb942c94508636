const CENTS_PER_DOLLAR = 100;

/** Formats US cents: "$75", "$37.50", "$1,240". `decimals` sets the number of decimals ("$75.00"). */
export function formatCents(cents: number, decimals = cents % CENTS_PER_DOLLAR === 0 ? 0 : 2): string {
  const amount = (Math.abs(cents) / CENTS_PER_DOLLAR).toFixed(decimals).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",");
  return `${cents < 0 ? "−" : ""}$${amount}`;
}

/** Parses US dollars such as "37.50" or "37,50" into cents; null for anything else. */
export function parseDollarsAsCents(text: string): number | null {
  const [, whole, fraction = ""] = /^\$? ?(\d{1,5})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * CENTS_PER_DOLLAR + Number(fraction.padEnd(2, "0") || 0);
}
