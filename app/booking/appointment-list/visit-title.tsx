import { Link } from "react-router";
import { useSite } from "../../practice/site.ts";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { bookingConfirmationPath } from "../appointment-paths.ts";

type VisitTitleProps = { visit: { id: number; title: string; start: string }; hasPage: boolean };

/** Shows a visit's title in a family's lists, as a link if the visit has its own page. */
export function VisitTitle({ visit: { id, title, start }, hasPage }: VisitTitleProps) {
  const { timeZone } = useSite().practice;
  if (!hasPage) return title;
  return (
    <Link to={bookingConfirmationPath(id)} className="link-target">
      {title}
      <span className="sr-only">, {formatDateTime(start, timeZone)}</span>
    </Link>
  );
}
