const TONES = {
  blue: "bg-info-soft text-info",
  green: "bg-good-soft text-good",
  red: "bg-danger-soft text-danger",
  yellow: "bg-warn-soft text-warn",
  grey: "bg-quiet-soft text-quiet",
} as const;

export type BadgeTone = keyof typeof TONES;

/** The text contains the meaning. The tone only makes it easier to find. */
export function Badge({ tone = "grey", children }: { tone?: BadgeTone; children: string }) {
  return <span className={`badge ${TONES[tone]}`}>{children}</span>;
}
