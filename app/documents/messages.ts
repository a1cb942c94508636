import type { FieldErrors } from "../http/outcome.ts";
import type { Notice } from "../ui/notice.ts";
import { SAYS } from "./rules.ts";

// Titles and texts are the specification's (§8).
export const UPLOADED: Notice = { title: "Document Uploaded!" };

/** How a refused upload is announced: two mistakes have a title of their own. */
export function failureOf({ message, errors = {} }: { message: string; errors?: FieldErrors }) {
  const style = "destructive" as const;
  if (errors.file?.includes(SAYS.noFile)) return { title: "No File Selected", description: SAYS.noFile, style };
  if (errors.customFileName?.includes(SAYS.noName))
    return { title: "File Name Required", description: SAYS.noName, style };
  return { title: "Upload Failed", description: `Upload failed: ${message}`, style };
}
