export const CONSENTS_PATH = "/consents";

/** The page of one document. */
export function consentPath(id: string): string {
  return `${CONSENTS_PATH}/${id}`;
}
