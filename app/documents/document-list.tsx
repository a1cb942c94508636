import { Link } from "react-router";
import { EmailLink } from "../practice/contact-links.tsx";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { formatDate } from "../ui/format-date-time.ts";
import { DownloadIcon, TrashIcon } from "../ui/icons.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { ZIP_PATH, deleteDocumentPath } from "./document-paths.ts";
import { DocumentBadges, SharingButton } from "./document-sharing.tsx";
import { DocumentDescription } from "./expandable-document-description.tsx";
import { DownloadDocumentLink, ViewDocumentLink } from "./document-links.tsx";
import type { DocumentRow, DocumentGroup } from "./document-list.server.ts";

const ZIP_FORM_ID = "chosen-documents";

type DocumentListProps = {
  groups: DocumentGroup[];
  isAdmin: boolean;
  /** Whether each family has exactly one group, so that no two groups on the page have the same label. */
  isByFamily: boolean;
};

/** Shows each document with its actions. Several documents can be downloaded as one ZIP file. */
export function DocumentList({ groups, isAdmin, isByFamily }: DocumentListProps) {
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      {groups.map(({ family, rows }) => (
        <div
          key={rows[0]?.id ?? 0}
          role={family && isByFamily ? "region" : undefined}
          aria-label={isByFamily ? family?.name : undefined}
        >
          {family && (
            <div className="border-b border-line pb-2">
              <h3>
                <Link to={`/families/${family.id}#documents`} className="inline-block max-w-full py-2.5 wrap-anywhere">
                  {family.name}
                </Link>
              </h3>
              {family.childName && <p className="wrap-anywhere">Child: {family.childName}</p>}
              <p>
                <EmailLink email={family.email} />
              </p>
            </div>
          )}
          <ul className="rows">
            {rows.map((row) => (
              <DocumentListRow key={row.id} row={row} isAdmin={isAdmin} canSelect={count > 1} />
            ))}
          </ul>
        </div>
      ))}
      {count > 1 && (
        // A plain form: the response is a file, not a page.
        <form id={ZIP_FORM_ID} method="get" action={ZIP_PATH} className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit">
            <DownloadIcon /> Download as ZIP
          </Button>
          <span className="hint">Check the documents you want in one file.</span>
        </form>
      )}
    </>
  );
}

type DocumentListRowProps = { row: DocumentRow; isAdmin: boolean; canSelect: boolean };

function DocumentListRow({ row, isAdmin, canSelect }: DocumentListRowProps) {
  const { timeZone } = useSite().practice;
  const {
    id,
    fileName,
    typeAndSize,
    uploadedAt,
    appointment,
    isDeletable,
    isFromConsultant,
    isDamaged,
    virusText,
    isNew,
  } = row;
  return (
    <li className="row">
      <div className="flex w-full min-w-0 items-start gap-3 lg:w-auto lg:flex-1 lg:basis-80">
        {canSelect && !virusText && (
          <label className="-m-2.5 flex size-12 shrink-0 cursor-pointer items-center justify-center">
            <input type="checkbox" name="id" value={id} form={ZIP_FORM_ID} />
            <span className="sr-only">Choose {fileName}</span>
          </label>
        )}
        <div className="min-w-0 flex-1">
          <p className="font-bold wrap-anywhere">
            <bdi>{fileName}</bdi>
          </p>
          {isFromConsultant && !isAdmin && (
            <p className="flex flex-wrap gap-2 [&>*]:whitespace-normal">
              <Badge color="blue">From your consultant</Badge>
              {isNew && <Badge color="yellow">New</Badge>}
            </p>
          )}
          {isAdmin && <DocumentBadges row={row} />}
          {isDamaged && (
            <p className="text-danger">
              {isAdmin
                ? "Its file is missing or damaged. Restore it from a backup, or delete it here."
                : "We can't open this file right now. Please call us."}
            </p>
          )}
          {virusText && <p className="text-danger">{virusText}</p>}
          <DocumentDescription row={row} />
          <p className="text-muted">
            <SeparatedList items={[typeAndSize, <ZonedTime key="when" instant={uploadedAt} zone={timeZone} />]} />
          </p>
          {appointment && (
            <p className="text-muted">
              For {appointment.title} on {formatDate(appointment.start, timeZone)}
            </p>
          )}
        </div>
      </div>
      <div className="row-actions lg:shrink-0">
        {!virusText && <ViewDocumentLink row={row} />}
        {!virusText && <DownloadDocumentLink row={row} />}
        {isAdmin && !row.isIntake && <SharingButton row={row} />}
        {isDeletable && (
          <LinkButton to={deleteDocumentPath(id)} variant="quiet" preventScrollReset>
            <TrashIcon className="size-5" /> Delete
            <span className="sr-only"> {fileName}</span>
          </LinkButton>
        )}
      </div>
    </li>
  );
}
