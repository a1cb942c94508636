import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "../../ui/card.tsx";

export const ROW_LINK_CLASS =
  "font-bold text-primary underline decoration-1 underline-offset-4 wrap-anywhere after:absolute after:inset-0 hover:decoration-2";

type GroupProps = {
  title: string;
  found: { count: number; rows: unknown[] };
  /** The path of the list with all of them, if there is one. */
  more?: string;
  children: ReactNode;
};

/** Shows a group. Renders nothing if it has no hits. */
export function SearchGroup({ title, found: { count, rows }, more, children }: GroupProps) {
  if (rows.length === 0) return null;
  const hidden = count - rows.length;
  return (
    <Card title={title}>
      <ul className="rows">{children}</ul>
      {hidden > 0 && (
        <p>
          {more ? (
            <Link to={more} className="link-target">
              and {hidden} more<span className="sr-only"> of {title.toLowerCase()}</span>
            </Link>
          ) : (
            `and ${hidden} more: add a word to find fewer.`
          )}
        </p>
      )}
    </Card>
  );
}
