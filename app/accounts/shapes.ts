import { z } from "zod";
import { emailAddress, optionalText, requiredText, textOr } from "../http/fields.ts";
import { MIN_PASSWORD_LENGTH } from "./password-rule.ts";

/** bcrypt reads no further; two longer passwords with one beginning would open the same account. */
export const MAX_PASSWORD_BYTES = 72;
const LONGEST_NAME = 100;
const LONGEST_PHONE = 50;

const bytes = (value: string) => new TextEncoder().encode(value).length;

/** Passwords are taken as typed, spaces included. */
function password(tooShort: string) {
  return textOr(tooShort, "The password must be text.")
    .refine((value) => value.length >= MIN_PASSWORD_LENGTH, { error: tooShort, abort: true })
    .refine((value) => value.length <= MAX_PASSWORD_BYTES && bytes(value) <= MAX_PASSWORD_BYTES, {
      error: `Use a password of at most ${MAX_PASSWORD_BYTES} characters (fewer with accents or emoji).`,
      abort: true,
    })
    .refine(
      (value) => value.isWellFormed() && !value.includes("\u0000"),
      "The password contains a character that can't be used.",
    );
}

const typed = (missing: string) => textOr(missing, "This must be text.").refine((value) => value !== "", missing);

export const signInShape = z.object({
  email: emailAddress(),
  password: password(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
});

const registration = z.object({
  firstName: requiredText("First name", LONGEST_NAME, "Enter your first name."),
  lastName: requiredText("Last name", LONGEST_NAME, "Enter your last name."),
  email: emailAddress(),
  phone: optionalText("The phone number", LONGEST_PHONE),
  password: password(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  confirmPassword: z.string("This must be text.").nullish(),
});

/** Said together with what is wrong in other fields, not only once they are right. */
const repeated = { path: ["confirmPassword"], error: "Passwords don't match", when: () => true };

/** A program may leave the repetition out; what it sends must match. */
export const registrationShape = registration.refine(
  (fields) => fields.confirmPassword == null || fields.confirmPassword === fields.password,
  repeated,
);

/** The page's form asks for the repetition. */
export const registrationFormShape = registration.refine(
  (fields) => fields.confirmPassword === fields.password,
  repeated,
);

export const passwordChangeShape = z
  .object({
    currentPassword: typed("Current password is required"),
    newPassword: password(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: typed("Passwords don't match"),
  })
  .refine((fields) => fields.confirmPassword === fields.newPassword, repeated);

export const newPasswordShape = z
  .object({
    newPassword: password(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: typed("Passwords don't match"),
  })
  .refine((fields) => fields.confirmPassword === fields.newPassword, repeated);

export type SignInFields = z.output<typeof signInShape>;
export type Registration = z.output<typeof registrationShape>;
export type PasswordChange = z.output<typeof passwordChangeShape>;
export type NewPassword = z.output<typeof newPasswordShape>;

export const resetLinkShape = z.object({ email: emailAddress("Enter the family's email address.") });

export type ResetLinkFields = z.output<typeof resetLinkShape>;
