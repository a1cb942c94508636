import { LinkButton } from "../ui/button.tsx";
import { DownloadIcon, EyeIcon } from "../ui/icons.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { showToast } from "../ui/toast.ts";
import { downloadDocumentPath, INTAKE_DIALOG_PATH, INTAKE_DOWNLOAD_PATH, viewDocumentPath } from "./document-paths.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME, INTAKE_SAVED_NOTICE } from "./intake-document.ts";

/** Lists show no link to a document with a `virusText` (infected-document-text.server.ts). */
type DocumentLinkProps = { row: { id: number; fileName: string } };

/** Link that opens a document in a new tab, or the intake form in a dialog on the current page. */
export function ViewDocumentLink({
  row,
  intakeDialog = INTAKE_DIALOG_PATH,
}: DocumentLinkProps & { intakeDialog?: string }) {
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
    <LinkButton href={viewDocumentPath(row.id)} variant="quiet" target="_blank" rel="noopener">
      {label}
      <span className="sr-only"> (opens in a new tab)</span>
    </LinkButton>
  );
}

/**
 * Link that downloads a document. For the intake form, a notice also says how to read it here (docs/product.md, Intake
 * form).
 */
export function DownloadDocumentLink({ row }: DocumentLinkProps) {
  const isHydrated = useHydrated();
  const isIntake = row.id === INTAKE_DOCUMENT_ID;
  // Without JavaScript, the server shows the notice on the next page.
  const intakePath = isHydrated ? "/intake-form.txt" : INTAKE_DOWNLOAD_PATH;
  return (
    <LinkButton
      href={isIntake ? intakePath : downloadDocumentPath(row.id)}
      download={isIntake ? INTAKE_FILE_NAME : true}
      variant="quiet"
      onClick={isIntake ? () => showToast(INTAKE_SAVED_NOTICE) : undefined}
    >
      <DownloadIcon className="size-5" /> Download
      <span className="sr-only"> {row.fileName}</span>
    </LinkButton>
  );
}
