import type { ListedDescription } from "./list-truncation.ts";

/** Shows a description in a list. The full text of a long one is in a disclosure. */
export function DocumentDescription({ row }: { row: ListedDescription & { fileName: string } }) {
  if (!row.description) return null;
  return (
    <>
      <p className="wrap-anywhere">{row.description}</p>
      {row.wholeDescription && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2">
            Whole description<span className="sr-only"> of {row.fileName}</span>
          </summary>
          <p className="whitespace-pre-line wrap-anywhere">{row.wholeDescription}</p>
        </details>
      )}
    </>
  );
}
