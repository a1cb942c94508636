import { z } from "zod";
import { emailAddress, optionalLine, requiredLine, textSchema } from "../http/fields.ts";
import { fitsHash, MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH, normalPassword } from "./password-rule.ts";

const LONGEST_NAME = 100;
const LONGEST_PHONE = 50;
/** Longer than any form of a password that fits: composing shortens a text to a fraction, not to nothing. */
const MAX_TYPED_LENGTH = 10 * MAX_PASSWORD_BYTES;

/** Passwords are taken as typed, spaces included; length is judged on the form that is hashed. */
function password(tooShort: string) {
  return textSchema(tooShort, "The password must be text.")
    .refine((value) => value.length <= MAX_TYPED_LENGTH && fitsHash(normalPassword(value)), {
      error: `Use a password of at most ${MAX_PASSWORD_BYTES} characters (fewer with accents or emoji).`,
      abort: true,
    })
    .refine((value) => normalPassword(value).length >= MIN_PASSWORD_LENGTH, { error: tooShort, abort: true })
    .refine(
      (value) => value.isWellFormed() && !value.includes("\u0000"),
      "The password contains a character that can't be used.",
    );
}

/** Typed twice, perhaps once by hand and once by a program that composes accents otherwise. */
function isSamePassword(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  return normalPassword(one) === normalPassword(other);
}

const typed = (missing: string) => textSchema(missing, "This must be text.").refine((value) => value !== "", missing);

export const signInShape = z.object({
  email: emailAddress(),
  password: password(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
});

const registration = z.object({
  firstName: requiredLine("First name", LONGEST_NAME, "Enter your first name."),
  lastName: requiredLine("Last name", LONGEST_NAME, "Enter your last name."),
  email: emailAddress(),
  phone: optionalLine("The phone number", LONGEST_PHONE),
  password: password(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  confirmPassword: z.string("This must be text.").nullish(),
});

/** Said together with what is wrong in other fields, not only once they are right. */
const repeated = { path: ["confirmPassword"], error: "Passwords don't match", when: () => true };

/** A program may leave the repetition out; what it sends must match. */
export const registrationShape = registration.refine(
  (fields) => fields.confirmPassword == null || isSamePassword(fields.confirmPassword, fields.password),
  repeated,
);

/** The page's form asks for the repetition. */
export const registrationFormShape = registration.refine(
  (fields) => isSamePassword(fields.confirmPassword, fields.password),
  repeated,
);

export const passwordChangeShape = z
  .object({
    currentPassword: typed("Current password is required").refine(
      (value) => value.length <= MAX_TYPED_LENGTH,
      "The current password is not right.",
    ),
    newPassword: password(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: typed("Passwords don't match"),
  })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.newPassword), repeated);

export const newPasswordShape = z
  .object({
    newPassword: password(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: typed("Passwords don't match"),
  })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.newPassword), repeated);

export type SignInFields = z.output<typeof signInShape>;
export type Registration = z.output<typeof registrationShape>;
export type PasswordChange = z.output<typeof passwordChangeShape>;
export type NewPassword = z.output<typeof newPasswordShape>;

export const resetLinkShape = z.object({ email: emailAddress("Enter the family's email address.") });

export type ResetLinkFields = z.output<typeof resetLinkShape>;
