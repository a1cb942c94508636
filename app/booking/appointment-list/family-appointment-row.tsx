import { useSite } from "../../practice/site.ts";
import { truncateWithEllipsis } from "../../excerpt.ts";
import { ROOM_LINK_LABELS } from "../room-hours.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { CalendarIcon, createIcon, PersonIcon, TrashIcon, VideoIcon } from "../../ui/icons.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { VisitTitle } from "./visit-title.tsx";
import { MoveByPhoneNotice } from "../move/move-by-phone-notice.tsx";
import { calendarFilePath, familyCancelPath, familyMovePath } from "../appointment-paths.ts";
import type { AppointmentRowData } from "./group-family-appointments.ts";

/** Maximum length of a title in the labels of a row's links, in characters. */
const MAX_LABEL_TITLE_LENGTH = 80;

const BellIcon = createIcon(
  <>
    <path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.75 2H4.75zM10 21h4" />
    <path d="M3 9.5a8.5 8.5 0 0 1 2.75-5.25M21 9.5a8.5 8.5 0 0 0-2.75-5.25" />
  </>,
);

const APPOINTMENT_TYPE_ICONS: Record<string, typeof PersonIcon> = {
  consultation: PersonIcon,
  "follow-up": CalendarIcon,
  emergency: BellIcon,
};

/**
 * Shows a row of the client's list. Past appointments show their notes. Past and canceled ones can be booked again. Canceled
 * ones have the file that removes them from a calendar.
 */
export function FamilyAppointmentRow({ row, isPast = false }: { row: AppointmentRowData; isPast?: boolean }) {
  const { timeZone } = useSite().practice;
  const Icon = row.isVideo ? VideoIcon : (APPOINTMENT_TYPE_ICONS[row.type] ?? CalendarIcon);
  // Includes the time, because a family may have the same visit every week.
  const appointmentLabel = `${truncateWithEllipsis(row.title, MAX_LABEL_TITLE_LENGTH)}, ${formatDateTime(row.start, timeZone)}`;
  return (
    <li className="row items-start">
      <div className="flex min-w-0 flex-1 basis-72 gap-2 sm:gap-3">
        <Icon className="mt-1 size-6 shrink-0 text-primary" />
        <div className="min-w-0 flex-1">
          <p className="font-bold wrap-anywhere">
            <VisitTitle visit={row} hasPage={row.hasPage && !isPast} />
          </p>
          <p>
            <ZonedTime instant={row.start} zone={timeZone} />
          </p>
          <p className="text-muted wrap-anywhere">
            <SeparatedList items={[row.kindLabel, row.length, row.typeLabel]} />
          </p>
          <p className="text-muted">
            <SeparatedList items={[row.balanceText, `Reference ${row.id}`]} />
          </p>
          {row.paymentInstructions && <p className="text-muted">{row.paymentInstructions}</p>}
          {row.isMovableByPhoneOnly && <MoveByPhoneNotice />}
          {row.cancellation && <p className="wrap-anywhere whitespace-pre-line">{row.cancellation}</p>}
          {row.description && <p className="wrap-anywhere whitespace-pre-line">{row.description}</p>}
          {isPast && row.notes && <p className="wrap-anywhere whitespace-pre-line">Notes: {row.notes}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 max-lg:w-full">
        <span className="flex min-h-11 flex-wrap items-center gap-2">
          <Badge color={row.badge.color}>{row.badge.label}</Badge>
          {row.isPaid && <Badge color="green">PAID</Badge>}
        </span>
        <MeetingLinks row={row} appointmentLabel={appointmentLabel} isPast={isPast} />
        <div className="row-actions max-lg:grow">
          {row.receipts.map((id) => (
            <LinkButton key={id} to={`/receipts/${id}`} variant="quiet">
              Receipt<span className="sr-only"> for {appointmentLabel}</span>
            </LinkButton>
          ))}
          {!row.isCancelled && (
            <LinkButton to={`/appointments/${row.id}/documents`} variant="quiet" preventScrollReset>
              Documents<span className="sr-only"> for {appointmentLabel}</span>
            </LinkButton>
          )}
          {row.canMove && (
            <LinkButton to={familyMovePath(row.id)} variant="quiet" preventScrollReset>
              Move visit<span className="sr-only"> {appointmentLabel}</span>
            </LinkButton>
          )}
          {row.isCancelled && !isPast && (
            <LinkButton href={calendarFilePath(row.id)} variant="quiet">
              Remove from my calendar<span className="sr-only"> {appointmentLabel}</span>
            </LinkButton>
          )}
          {row.bookAgainPath && (
            <LinkButton to={row.bookAgainPath} variant="quiet" preventScrollReset>
              Book again<span className="sr-only"> {appointmentLabel}</span>
            </LinkButton>
          )}
          {row.canCancel && !isPast && (
            <LinkButton to={familyCancelPath(row.id)} variant="quiet" preventScrollReset>
              <TrashIcon /> Cancel visit<span className="sr-only"> {appointmentLabel}</span>
            </LinkButton>
          )}
        </div>
      </div>
    </li>
  );
}

type MeetingLinksProps = { row: AppointmentRowData; appointmentLabel: string; isPast: boolean };

/** Shows the link to the video room or to an external meeting. */
function MeetingLinks({ row, appointmentLabel, isPast }: MeetingLinksProps) {
  return (
    <>
      {row.offeredRoomLink && (
        <LinkButton to={`/video-call/${row.id}`} variant={isPast ? "secondary" : "primary"}>
          <VideoIcon /> {ROOM_LINK_LABELS[row.offeredRoomLink]}
          <span className="sr-only"> of {appointmentLabel}</span>
        </LinkButton>
      )}
      {row.meetingLink && !isPast && (
        <LinkButton href={row.meetingLink} target="_blank" rel="noopener noreferrer">
          Join Meeting<span className="sr-only"> of {appointmentLabel} (opens in a new tab)</span>
        </LinkButton>
      )}
    </>
  );
}
