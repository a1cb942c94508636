import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { TrashIcon, VideoIcon } from "../../ui/icons.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { appointmentDetailsPath } from "../appointment-paths.ts";
import { ROOM_LINK_LABELS } from "../room-hours.ts";
import { SHORT_VISIT_KIND_LABELS } from "../visit-kind.ts";
import type { AdminRow as Row } from "./admin-appointment-row-data.ts";
import { UpcomingRoomLink } from "./upcoming-room-link.tsx";

/** Row with the name of the family's child, where the list shows it. */
export type ListedRow = Row & { childName?: string | null };

type RowOptions = {
  /** The list's query string, including the question mark, for links to dialogs. */
  filterQuery?: string;
  /** Shows only the time, without the date. */
  hidesDate?: boolean;
  detailsText?: ReactNode;
  /** Labels rows by title instead of by family. */
  hidesClientName?: boolean;
};

/** Actions on a visit that is not over, with the last part of each page's address. */
const ROW_ACTIONS = [
  { text: "Move", segment: "reschedule" },
  { text: "Cancel", segment: "cancel" },
];

/** Shows a section of the administrator's appointment lists. */
export function AdminAppointmentSection({
  heading,
  rows,
  ...options
}: RowOptions & { heading: string; rows: ListedRow[] }) {
  return (
    <section>
      <h3>{heading}</h3>
      <ul className="rows">
        {rows.map((row) => (
          <AdminAppointmentRow key={row.id} row={row} {...options} />
        ))}
      </ul>
    </section>
  );
}

/** Shows a row that links to the appointment's details. */
function AdminAppointmentRow({
  row,
  filterQuery = "",
  hidesDate = false,
  detailsText,
  hidesClientName = false,
}: RowOptions & { row: ListedRow }) {
  const { timeZone } = useSite().practice;
  const { name, account } = row.client;
  const titleText = `${row.title}${row.isCustomTitle ? " (Other)" : ""}`;
  const detailsPath = `${appointmentDetailsPath(row.id)}${filterQuery}`;
  const startText = formatDateTime(row.start, timeZone);
  return (
    <li className="row admin-row relative items-start">
      <p className="admin-row-time">
        <ZonedTime instant={row.start} zone={timeZone}>
          {hidesDate ? formatTimeWithZone(row.start, timeZone) : undefined}
        </ZonedTime>
      </p>
      <div className="min-w-0">
        <p className="font-bold wrap-anywhere">
          <Link
            to={detailsPath}
            preventScrollReset
            className="text-primary underline decoration-1 underline-offset-4 after:absolute after:inset-0 hover:decoration-2"
          >
            {hidesClientName ? titleText : name}
            <span className="sr-only">, {startText}</span>
          </Link>
        </p>
        {account && <p className="wrap-anywhere">Account: {account}</p>}
        {row.childName && <p className="wrap-anywhere">Child: {row.childName}</p>}
        {!hidesClientName && <p className="wrap-anywhere">{titleText}</p>}
      </div>
      <p className="text-muted wrap-anywhere">
        <SeparatedList
          items={[
            `${SHORT_VISIT_KIND_LABELS[row.visitKind]}${row.ownPlace ? `, ${row.ownPlace}` : ""}${row.lacksAccountForVideo ? ", no account yet" : ""}`,
            row.callLabel && !row.isRoomOpen && <UpcomingRoomLink key="room" row={row} />,
            `${row.duration} minutes${row.exceedsServiceDuration ? ", longer than sold" : ""}`,
            row.typeLabel,
            row.money,
            row.pendingNotificationText && <strong key="unknown">{row.pendingNotificationText}</strong>,
          ]}
        />
      </p>
      <div className="relative z-1 flex flex-wrap items-center gap-2 max-md:w-full lg:justify-end">
        <Badge color={row.badge.color}>{row.badge.label}</Badge>
        {row.isPaid && <Badge color="green">PAID</Badge>}
        <span className="flex flex-wrap items-center gap-1 max-md:grow md:gap-2">
          {row.callLabel && row.isRoomOpen && (
            <LinkButton
              to={`/video-call/${row.id}`}
              variant={row.callLabel === ROOM_LINK_LABELS["join-now"] ? "secondary" : "quiet"}
              className="max-sm:px-3"
            >
              <VideoIcon /> {row.callLabel}
              <span className="sr-only">
                {" "}
                with {name}, {startText}
              </span>
            </LinkButton>
          )}
          {detailsText && (
            <LinkButton
              variant="quiet"
              to={detailsPath}
              preventScrollReset
              className={`max-sm:-ml-2 max-sm:px-2 ${row.callLabel && row.isRoomOpen ? "" : "max-md:-ml-3"}`}
            >
              {detailsText}
              <span className="sr-only">
                {" "}
                {name}, {startText}
              </span>
            </LinkButton>
          )}
          {row.canCancel &&
            ROW_ACTIONS.map(({ text, segment }) => (
              <LinkButton
                key={segment}
                variant="quiet"
                to={`${appointmentDetailsPath(row.id)}/${segment}${filterQuery}`}
                preventScrollReset
                className="px-2"
              >
                {text}
                <span className="sr-only">
                  {" "}
                  the visit of {name}, {row.title}, {startText}
                </span>
              </LinkButton>
            ))}
          <Link
            to={`${appointmentDetailsPath(row.id)}/delete${filterQuery}`}
            preventScrollReset
            className="button button-quiet px-2 max-md:ml-auto"
          >
            <TrashIcon /> Delete
            <span className="sr-only">
              {" "}
              the appointment of {name}, {row.title}, {startText}
            </span>
          </Link>
        </span>
      </div>
    </li>
  );
}
