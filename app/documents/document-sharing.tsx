import { Form } from "react-router";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { PersonIcon } from "../ui/icons.tsx";
import { setDocumentSharingPath } from "./document-paths.ts";

type SharingState = { isFromConsultant: boolean; isShared: boolean };

/** Shows the administrator who added the document, who sees it, and whether it is new to her. */
export function DocumentBadges({ row }: { row: SharingState & { isNew: boolean } }) {
  return (
    <p className="flex flex-wrap gap-2 [&>*]:whitespace-normal">
      <Badge color="blue">{row.isFromConsultant ? "From you" : "From the family"}</Badge>
      {canChangeSharing(row) && (
        <Badge color={row.isShared ? "green" : "grey"}>{row.isShared ? "Shared" : "Only you"}</Badge>
      )}
      {row.isNew && <Badge color="yellow">new</Badge>}
    </p>
  );
}

type SharingButtonProps = { row: SharingState & { id: number; fileName: string }; returnsToFamily?: boolean };

/** Button that shares the administrator's document with its family, or stops sharing it. */
export function SharingButton({ row, returnsToFamily = false }: SharingButtonProps) {
  if (!canChangeSharing(row)) return null;
  return (
    <Form
      method="post"
      action={setDocumentSharingPath(row.id, returnsToFamily)}
      className="contents"
      preventScrollReset
    >
      <Button variant="quiet" name="isShared" value={row.isShared ? "false" : "true"}>
        <PersonIcon className="size-5" /> {row.isShared ? "Stop sharing" : "Share"}
        <span className="sr-only"> {row.fileName}</span>
      </Button>
    </Form>
  );
}

/** Returns whether sharing can be changed. A family always sees its own uploads. */
function canChangeSharing({ isFromConsultant, isShared }: SharingState): boolean {
  return isFromConsultant || !isShared;
}
