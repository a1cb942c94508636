import { Children, type ReactNode } from "react";

/** Shows items in a row with a separator between them. Where they wrap, no line begins or ends with a separator. */
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
