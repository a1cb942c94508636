import { DownloadLink, ViewLink } from "./document-links.tsx";

/** Documents beside what they belong to: their names, and how to see and save them. */
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
