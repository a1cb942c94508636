/** The signed-in person for whom a command runs. */
export type Person = {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  isClient: boolean;
  isAdmin: boolean;
};

/** The columns of `Person`. The whole row includes the password hash. */
export const PERSON_SELECT = {
  id: true,
  email: true,
  firstName: true,
  lastName: true,
  phone: true,
  isClient: true,
  isAdmin: true,
} as const;

/** Matches phone numbers of a valid length in forms that a script checks before they are sent. */
export const PHONE_PATTERN = "(?=.{0,50}$)(\\D*\\d){7}.*";

export function fullName(person: { firstName: string; lastName: string }): string {
  return `${person.firstName} ${person.lastName}`;
}

/**
 * Returns the id of the family to which a person's own account belongs; null for the administrator. Used for audit
 * entries.
 */
export function familyIdOf({ id, isAdmin }: Pick<Person, "id" | "isAdmin">): number | null {
  return isAdmin ? null : id;
}

/** Prisma filter for accounts that are neither closed nor to be erased. */
export const ACTIVE_ACCOUNT_CONDITION = { closedAt: null, eraseAfter: null } as const;
