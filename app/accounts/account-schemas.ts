import { z } from "zod";
import {
  requiredEmail,
  optionalId,
  optionalSingleLine,
  reportFirstBrokenRule,
  requiredId,
  requiredSingleLine,
  requiredName,
  stringSchemaWithMessages,
} from "../http/field-schemas.ts";
import {
  isWithinBcryptLimit,
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_LENGTH,
  normalizePassword,
  PASSWORDS_DIFFER_MESSAGE,
} from "./passwords/password-rule.ts";
import { hasExcessiveCombiningMarks } from "../normalize-unicode.ts";

const MAX_NAME_LENGTH = 100;
const MAX_PHONE_LENGTH = 50;
const MIN_PHONE_DIGITS = 7;
const MAX_TOKEN_LENGTH = 200;
/** Bounds the text before it is normalized. Normalizing shortens a text to a tenth of its length at most. */
const MAX_RAW_PASSWORD_LENGTH = 10 * MAX_PASSWORD_BYTES;

/**
 * Builds the schema of a new password. Passwords are not trimmed. Their length is measured in the form that is hashed.
 */
function createPasswordSchema(tooShortMessage: string) {
  return stringSchemaWithMessages(tooShortMessage, "The password must be text.")
    .superRefine(
      reportFirstBrokenRule(
        [
          (value) => value.length > MAX_RAW_PASSWORD_LENGTH || !hasExcessiveCombiningMarks(value),
          "The password has too many accents on one letter.",
        ],
        [
          (value) => value.length <= MAX_RAW_PASSWORD_LENGTH && isWithinBcryptLimit(normalizePassword(value)),
          `Use a password of at most ${MAX_PASSWORD_BYTES} characters (fewer with accents or emoji).`,
        ],
        [(value) => normalizePassword(value).length >= MIN_PASSWORD_LENGTH, tooShortMessage],
        [
          (value) => value.isWellFormed() && !value.includes("\u0000"),
          "The password contains a character that can't be used.",
        ],
      ),
    )
    .meta({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_BYTES });
}

/**
 * Compares two passwords in NFC: one may be typed, and the other may come from a program that composes accents
 * differently.
 */
function isSamePassword(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  if (one.length > MAX_RAW_PASSWORD_LENGTH || other.length > MAX_RAW_PASSWORD_LENGTH) return one === other;
  return normalizePassword(one) === normalizePassword(other);
}

const requiredVerbatim = (missingMessage: string) =>
  stringSchemaWithMessages(missingMessage, "This must be text.").refine((value) => value !== "", missingMessage);

/** Whether the device is not the person's own. */
const sharedDeviceSchema = z.boolean("Shared device must be true or false.").nullish();

export const signInSchema = z.object({
  email: requiredEmail(),
  password: createPasswordSchema(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  sharedDevice: sharedDeviceSchema,
});

const MAX_CODE_LENGTH = 40;
const codeField = (message: string) => requiredSingleLine("The code", MAX_CODE_LENGTH, message);

export const signInApiSchema = signInSchema.extend({ code: optionalSingleLine("The code", MAX_CODE_LENGTH) });
export const secondFactorCodeSchema = z.object({ code: codeField("Enter the code.") });
/** The password that a signed-in person enters again. */
export const currentPasswordSchema = z.object({
  password: requiredVerbatim("Enter your password.").refine(
    (value) => value.length <= MAX_RAW_PASSWORD_LENGTH,
    "That password isn't right.",
  ),
});
export const removeSecondFactorSchema = currentPasswordSchema.extend(secondFactorCodeSchema.shape);
/** A password entered again, and the code if there is a second factor. */
export const passwordAndCodeSchema = currentPasswordSchema.extend({
  code: optionalSingleLine("The code", MAX_CODE_LENGTH),
});
export type PasswordAndCode = z.output<typeof passwordAndCodeSchema>;
/** What a signed-in person enters again: the code if there is a second factor, otherwise the password. */
export const reauthenticationSchema = z.object({
  password: stringSchemaWithMessages("Enter your password.", "This must be text.")
    .refine((value) => value.length <= MAX_RAW_PASSWORD_LENGTH, "That password isn't right.")
    .nullish(),
  code: optionalSingleLine("The code", MAX_CODE_LENGTH),
});
export type ReauthenticationValues = z.output<typeof reauthenticationSchema>;
export type CodeValues = z.output<typeof secondFactorCodeSchema>;

/** The `id` of a signed-in device. */
export const deviceIdSchema = z.object({ id: requiredId("Choose a device.") });

/** A phone number typed on a page. The API accepts any single line. */
const formPhoneSchema = optionalSingleLine("The phone number", MAX_PHONE_LENGTH).refine(
  (phone) => phone == null || phone.replace(/\D/g, "").length >= MIN_PHONE_DIGITS,
  `Enter a phone number with at least ${MIN_PHONE_DIGITS} digits, or leave this empty.`,
);

const registrationBaseSchema = z.object({
  firstName: requiredName("First name", MAX_NAME_LENGTH, "Enter your first name."),
  lastName: requiredName("Last name", MAX_NAME_LENGTH, "Enter your last name."),
  email: requiredEmail(),
  phone: optionalSingleLine("The phone number", MAX_PHONE_LENGTH),
  password: createPasswordSchema(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  confirmPassword: z.string("This must be text.").nullish(),
});

const registrationFormBaseSchema = registrationBaseSchema.extend({
  phone: formPhoneSchema,
  sharedDevice: sharedDeviceSchema,
});

export const profileSchema = registrationFormBaseSchema.pick({ firstName: true, lastName: true, phone: true });

/** Reported together with the errors of other fields, not only if those are valid. */
const passwordsMatchIssue = { path: ["confirmPassword"], error: PASSWORDS_DIFFER_MESSAGE, when: () => true };

/** In the API the repetition is optional, but it must match. */
export const registrationApiSchema = registrationBaseSchema.refine(
  (fields) => fields.confirmPassword == null || isSamePassword(fields.confirmPassword, fields.password),
  passwordsMatchIssue,
);

/** In the page's form the repetition is required. */
export const registrationFormSchema = registrationFormBaseSchema.refine(
  (fields) => isSamePassword(fields.confirmPassword, fields.password),
  passwordsMatchIssue,
);

/** The form of an invited family. It has no email field, because the address is that of its link. */
export const invitedRegistrationSchema = registrationFormBaseSchema
  .omit({ email: true })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.password), passwordsMatchIssue);

/** The person whom the consultant invites; `appointmentId` is a visit that is reserved for the family. */
export const invitationSchema = registrationBaseSchema.pick({ firstName: true, lastName: true }).extend({
  email: requiredEmail("Enter the family's email address."),
  appointmentId: optionalId("Choose an appointment."),
});

/** One of the open invitations, and the action to take on it. */
export const invitationChangeSchema = z.object({
  id: requiredId("Choose an invitation."),
  change: z.enum(["resend", "withdraw"], "Choose what to do."),
});

export const passwordChangeSchema = z
  .object({
    currentPassword: requiredVerbatim("Current password is required").refine(
      (value) => value.length <= MAX_RAW_PASSWORD_LENGTH,
      "Your current password isn't right.",
    ),
    newPassword: createPasswordSchema(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: requiredVerbatim(PASSWORDS_DIFFER_MESSAGE),
    keepAdded: z.boolean("keepAdded must be true or false.").nullish(),
  })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.newPassword), passwordsMatchIssue);

const newPasswordBaseSchema = z.object({
  newPassword: createPasswordSchema(`New password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  confirmPassword: requiredVerbatim(PASSWORDS_DIFFER_MESSAGE),
});

export const newPasswordSchema = newPasswordBaseSchema
  .extend({ sharedDevice: sharedDeviceSchema })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.newPassword), passwordsMatchIssue);

const tokenSchema = requiredVerbatim("The token of the link is missing.").refine(
  (value) => value.length <= MAX_TOKEN_LENGTH,
  "This is not a token of ours.",
);

export const linkTokenSchema = z.object({ token: tokenSchema });

export const resetPasswordSchema = newPasswordBaseSchema
  .extend({ token: tokenSchema })
  .refine((fields) => isSamePassword(fields.confirmPassword, fields.newPassword), passwordsMatchIssue);

export const emailFieldsSchema = z.object({ email: requiredEmail() });

export type EmailValues = z.output<typeof emailFieldsSchema>;

export type ProfileValues = z.output<typeof profileSchema>;
export type SignInValues = z.output<typeof signInSchema>;
export type InvitedRegistrationValues = z.output<typeof invitedRegistrationSchema>;
export type InvitationValues = z.output<typeof invitationSchema>;
export type RegistrationForm = z.output<typeof registrationFormSchema>;
export type RegistrationValues = z.output<typeof registrationApiSchema>;
export type PasswordChangeValues = z.output<typeof passwordChangeSchema>;
export type NewPasswordValues = z.output<typeof newPasswordSchema>;

export const resetLinkSchema = z.object({ email: requiredEmail("Enter the family's email address.") });

export type ResetLinkValues = z.output<typeof resetLinkSchema>;
