import { Children, type ReactNode } from "react";

/** Facts in one line with a mark between them. Where they need several lines, none begins or ends with the mark. */
export function Parts({ of: parts, mark = "·" }: { of: ReactNode[]; mark?: string }) {
  return (
    <span className="parts">
      {Children.map(parts.filter(Boolean), (part, index) => (
        <span>
          {index > 0 && <span className="parts-mark"> {mark} </span>}
          {part}
        </span>
      ))}
    </span>
  );
}
