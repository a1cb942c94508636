import type { FieldErrors } from "../../http/outcome.ts";
import type { Notice } from "../../ui/toast.ts";
import { UPLOAD_MESSAGES } from "../document-file-rules.ts";

export const UPLOADED_NOTICE: Notice = { title: "Document Uploaded!" };

/** Returns the text that says who can see the administrator's upload; `name` is the family's name. */
export function uploadVisibilityText(
  isShared: boolean,
  { name, isMailed }: { name: string; isMailed: boolean },
): string {
  if (!isShared) return "Only you see it.";
  return `${name} can see it and gets ${isMailed ? "an email" : "a message in their portal"}.`;
}

/** Returns the notice for a refused upload. A missing file and a missing name have their own titles. */
export function uploadFailureNotice({ message, errors = {} }: { message: string; errors?: FieldErrors }) {
  const style = "destructive" as const;
  if (errors.file?.includes(UPLOAD_MESSAGES.noFile))
    return { title: "No File Selected", description: UPLOAD_MESSAGES.noFile, style };
  if (errors.customFileName?.includes(UPLOAD_MESSAGES.noName))
    return { title: "File Name Required", description: UPLOAD_MESSAGES.noName, style };
  return { title: "Upload Failed", description: `Upload failed: ${message}`, style };
}
