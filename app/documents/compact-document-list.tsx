import { DownloadLink, ViewLink } from "./document-links.tsx";

/** A short list of documents, for the page of the appointment or family they belong to. */
export function CompactDocumentList({ documents }: { documents: { id: number; fileName: string }[] }) {
  return (
    <ul className="rows">
      {documents.map((document) => (
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
    </ul>
  );
}
