/**
 * Returns the sentence that lists show in place of the links that open a document, if a scan found what may be a virus
 * in it; null for other documents.
 */
export function infectedDocumentText(virusFoundAt: Date | null, { isAdmin }: { isAdmin: boolean }): string | null {
  if (virusFoundAt === null) return null;
  return `It may contain a virus, so nobody can open it. ${isAdmin ? "Call the family, then delete it." : "Please call us."}`;
}
