import { LinkButton } from "../ui/button.tsx";
import { DownloadIcon, EyeIcon } from "../ui/icons.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { showNotice } from "../ui/notice.ts";
import { downloadPath, INTAKE_DIALOG_PATH, INTAKE_DOWNLOAD_PATH, viewPath } from "./paths.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME, INTAKE_SAVED_NOTICE } from "./intake-document.ts";

type DocumentLinkProps = { row: { id: number; fileName: string } };

/** A document opens in a tab of its own, the intake form in a dialog (of the screen it is listed on). */
export function ViewLink({ row, intakeDialog = INTAKE_DIALOG_PATH }: DocumentLinkProps & { intakeDialog?: string }) {
  const label = (
    <>
      <EyeIcon className="size-5" /> View
      <span className="sr-only"> {row.fileName}</span>
    </>
  );
  if (row.id === INTAKE_DOCUMENT_ID) {
    return (
      <LinkButton to={intakeDialog} variant="quiet" preventScrollReset>
        {label}
      </LinkButton>
    );
  }
  return (
    <LinkButton href={viewPath(row.id)} variant="quiet" target="_blank" rel="noopener">
      {label}
      <span className="sr-only"> (opens in a new tab)</span>
    </LinkButton>
  );
}

/** Saves a document. The intake form's also says where it can be read without saving (decisions §5.11). */
export function DownloadLink({ row }: DocumentLinkProps) {
  const isHydrated = useHydrated();
  const isIntake = row.id === INTAKE_DOCUMENT_ID;
  // Without a script the server says it, with the next page.
  const intakePath = isHydrated ? "/intake-form.txt" : INTAKE_DOWNLOAD_PATH;
  return (
    <LinkButton
      href={isIntake ? intakePath : downloadPath(row.id)}
      download={isIntake ? INTAKE_FILE_NAME : true}
      variant="quiet"
      onClick={isIntake ? () => showNotice(INTAKE_SAVED_NOTICE) : undefined}
    >
      <DownloadIcon className="size-5" /> Download
      <span className="sr-only"> {row.fileName}</span>
    </LinkButton>
  );
}
