import { Children, type ReactNode } from "react";

/** Facts in one line with a mark between them. Where they need several lines, none begins or ends with the mark. */
export function SeparatedList({ items, separator = "·" }: { items: ReactNode[]; separator?: string }) {
  return (
    <span className="parts">
      {Children.map(items.filter(Boolean), (item, index) => (
        <span>
          {index > 0 && <span className="parts-mark"> {separator} </span>}
          {item}
        </span>
      ))}
    </span>
  );
}
