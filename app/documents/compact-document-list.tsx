import type { AppointmentDocument } from "./documents.server.ts";
import { DownloadDocumentLink, ViewDocumentLink } from "./document-links.tsx";

type CompactDocumentListProps = { documents: { rows: AppointmentDocument[]; note: string | null } };

/** Shows a short list of an appointment's documents with an optional note, for the appointment's page. */
export function CompactDocumentList({ documents: { rows, note } }: CompactDocumentListProps) {
  return (
    <ul className="rows">
      {rows.map((document) => (
        <li key={document.id} className="row">
          <strong className="wrap-anywhere">
            <bdi>{document.fileName}</bdi>
          </strong>
          {document.virusText ? (
            <span className="text-danger">{document.virusText}</span>
          ) : (
            <span className="row-actions">
              <ViewDocumentLink row={document} />
              <DownloadDocumentLink row={document} />
            </span>
          )}
        </li>
      ))}
      {note && <li className="row">{note}</li>}
    </ul>
  );
}
