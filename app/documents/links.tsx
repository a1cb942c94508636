import { LinkButton } from "../ui/button.tsx";
import { DownloadIcon, EyeIcon } from "../ui/icons.tsx";
import { useHydrated } from "../ui/is-running.ts";
import { showNotice } from "../ui/notice.ts";
import { downloadAddress, INTAKE_DIALOG, INTAKE_DOWNLOAD, viewAddress } from "./addresses.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME, INTAKE_SAVED } from "./intake-document.ts";

type LinkProps = { row: { id: number; fileName: string } };

/** A document opens in a tab of its own, the intake form in a dialog (of the screen it is listed on). */
export function ViewLink({ row, intakeDialog = INTAKE_DIALOG }: LinkProps & { intakeDialog?: string }) {
  const inside = (
    <>
      <EyeIcon className="size-5" /> View
      <span className="sr-only"> {row.fileName}</span>
    </>
  );
  if (row.id === INTAKE_DOCUMENT_ID) {
    return (
      <LinkButton to={intakeDialog} variant="quiet" preventScrollReset>
        {inside}
      </LinkButton>
    );
  }
  return (
    <LinkButton href={viewAddress(row.id)} variant="quiet" target="_blank" rel="noopener">
      {inside}
      <span className="sr-only"> (opens in a new tab)</span>
    </LinkButton>
  );
}

/** Saves a document. The intake form's also says where it can be read without saving (decisions §5.11). */
export function DownloadLink({ row }: LinkProps) {
  const isRunning = useHydrated();
  const isIntake = row.id === INTAKE_DOCUMENT_ID;
  // Without a script the server says it, with the next page.
  const intake = isRunning ? "/intake-form.txt" : INTAKE_DOWNLOAD;
  return (
    <LinkButton
      href={isIntake ? intake : downloadAddress(row.id)}
      download={isIntake ? INTAKE_FILE_NAME : true}
      variant="quiet"
      onClick={isIntake ? () => showNotice(INTAKE_SAVED) : undefined}
    >
      <DownloadIcon className="size-5" /> Download
      <span className="sr-only"> {row.fileName}</span>
    </LinkButton>
  );
}
