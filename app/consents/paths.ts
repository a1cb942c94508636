export const CONSENTS_PATH = "/consents";

/** Returns the path of the page of one document. */
export function consentPath(id: string): string {
  return `${CONSENTS_PATH}/${id}`;
}
