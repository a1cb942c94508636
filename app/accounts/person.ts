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

/** The columns of `Person`. The whole row holds the password hash. */
export const PERSON_COLUMNS = {
  id: true,
  email: true,
  firstName: true,
  lastName: true,
  phone: true,
  isClient: true,
  isAdmin: true,
} as const;

export function fullName(person: { firstName: string; lastName: string }): string {
  return `${person.firstName} ${person.lastName}`;
}

/** The family whose data a person's own account is; null for the administrator. For audit entries. */
export function familyIdOf({ id, isAdmin }: Pick<Person, "id" | "isAdmin">): number | null {
  return isAdmin ? null : id;
}
