import { Form } from "react-router";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { formatDate } from "../ui/dates.ts";
import { DownloadIcon, PersonIcon, TrashIcon } from "../ui/icons.tsx";
import { SeparatedList } from "../ui/parts.tsx";
import { When } from "../ui/when.tsx";
import { ARCHIVE, deleteAddress, sharingAddress } from "./addresses.ts";
import { DownloadLink, ViewLink } from "./links.tsx";
import type { DocumentRow, Shelf } from "./rows.server.ts";

const ARCHIVE_FORM = "chosen-documents";

/** Every document with what can be done with it; several can be saved as one archive. */
export function DocumentList({ shelves, isAdmin }: { shelves: Shelf[]; isAdmin: boolean }) {
  const count = shelves.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      {shelves.map(({ family, rows }) => (
        <section key={family?.id ?? 0} aria-label={family?.name}>
          {family && (
            <div className="border-b border-line pb-2">
              <h3>{family.name}</h3>
              <p className="text-muted wrap-anywhere">{family.email}</p>
            </div>
          )}
          <ul className="rows">
            {rows.map((row) => (
              <Row key={row.id} row={row} isAdmin={isAdmin} canChoose={count > 1} />
            ))}
          </ul>
        </section>
      ))}
      {count > 1 && (
        // A plain form: what it asks for is a file, not a page.
        <form id={ARCHIVE_FORM} method="get" action={ARCHIVE} className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit">
            <DownloadIcon /> Download as ZIP
          </Button>
          <span className="hint">Tick the documents you want in one file.</span>
        </form>
      )}
    </>
  );
}

type RowProps = { row: DocumentRow; isAdmin: boolean; canChoose: boolean };

function Row({ row, isAdmin, canChoose }: RowProps) {
  const { timeZone } = useSite().practice;
  const {
    id,
    fileName,
    description,
    what,
    uploadedAt,
    appointment,
    isShared,
    isDeletable,
    fromConsultant,
    isInTrouble,
  } = row;
  return (
    <li className="row lg:flex-nowrap">
      <div className="flex w-full min-w-0 items-start gap-3 lg:w-auto lg:flex-1">
        {canChoose && (
          <label className="-m-2.5 flex size-12 shrink-0 cursor-pointer items-center justify-center">
            <input type="checkbox" name="id" value={id} form={ARCHIVE_FORM} />
            <span className="sr-only">Choose {fileName}</span>
          </label>
        )}
        <div className="min-w-0 flex-1">
          <p className="font-bold wrap-anywhere">
            <bdi>{fileName}</bdi>
          </p>
          {fromConsultant && !isAdmin && <Badge tone="blue">From your consultant</Badge>}
          {isAdmin && <Badge tone={isShared ? "green" : "grey"}>{isShared ? "Shared" : "Not shared"}</Badge>}
          {isInTrouble && (
            <p className="text-danger">
              {isAdmin
                ? "Its file is missing or damaged. Bring it back from a backup, or delete it here."
                : "We can't open this file just now. Please call us."}
            </p>
          )}
          {description && <p className="wrap-anywhere">{description}</p>}
          <p className="text-muted">
            <SeparatedList items={[what, <When key="when" instant={uploadedAt} zone={timeZone} />]} />
          </p>
          {appointment && (
            <p className="text-muted">
              For {appointment.title} on {formatDate(appointment.start, timeZone)}
            </p>
          )}
        </div>
      </div>
      <div className="row-actions lg:shrink-0">
        <ViewLink row={row} />
        <DownloadLink row={row} />
        {isAdmin && !row.isIntake && (
          <Form method="post" action={sharingAddress(id)} className="contents" preventScrollReset>
            <Button variant="quiet" name="isShared" value={isShared ? "false" : "true"}>
              <PersonIcon className="size-5" /> {isShared ? "Stop sharing" : "Share"}
              <span className="sr-only"> {fileName}</span>
            </Button>
          </Form>
        )}
        {isDeletable && (
          <LinkButton to={deleteAddress(id)} variant="quiet" preventScrollReset>
            <TrashIcon className="size-5" /> Delete
            <span className="sr-only"> {fileName}</span>
          </LinkButton>
        )}
      </div>
    </li>
  );
}
