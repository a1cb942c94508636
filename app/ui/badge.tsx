const COLOR_CLASSES = {
  blue: "bg-info-soft text-info",
  green: "bg-good-soft text-good",
  red: "bg-danger-soft text-danger",
  yellow: "bg-warn-soft text-warn",
  grey: "bg-quiet-soft text-quiet",
} as const;

export type BadgeColor = keyof typeof COLOR_CLASSES;

/** The text contains the meaning. The color only makes it easier to find. */
export function Badge({ color = "grey", children }: { color?: BadgeColor; children: string }) {
  return <span className={`badge ${COLOR_CLASSES[color]}`}>{children}</span>;
}
