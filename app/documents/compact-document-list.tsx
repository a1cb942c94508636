import { DownloadLink, ViewLink } from "./document-links.tsx";

type CompactDocumentListProps = { documents: { rows: { id: number; fileName: string }[]; note: string | null } };

/** Shows a short list of an appointment's documents with an optional note, for the appointment's page. */
export function CompactDocumentList({ documents: { rows, note } }: CompactDocumentListProps) {
  return (
    <ul className="rows">
      {rows.map((document) => (
        <li key={document.id} className="row">
          <strong className="wrap-anywhere">
            <bdi>{document.fileName}</bdi>
          </strong>
          <span className="row-actions">
            <ViewLink row={document} />
            <DownloadLink row={document} />
          </span>
        </li>
      ))}
      {note && <li className="row">{note}</li>}
    </ul>
  );
}
