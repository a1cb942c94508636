/** The one form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}
