export const CONSENTS_PATH = "/consents";

/** Returns the path of the page of one document. */
export function consentPath(id: string): string {
  return `${CONSENTS_PATH}/${id}`;
}

/** Returns the path of the page of the text that a family signed with this signature. */
export function signedConsentPath(id: string, signature: number): string {
  return `${consentPath(id)}?signature=${signature}`;
}
