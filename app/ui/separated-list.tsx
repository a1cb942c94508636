import { Children, type ReactNode } from "react";

/** Items in a row with a separator between them; where they wrap, no line begins or ends with it. */
export function SeparatedList({ items, separator = "·" }: { items: ReactNode[]; separator?: string }) {
  return (
    <span className="parts">
      {Children.map(items.filter(Boolean), (item, index) => (
        <span>
          {index > 0 && <span className="separator"> {separator} </span>}
          {item}
        </span>
      ))}
    </span>
  );
}
