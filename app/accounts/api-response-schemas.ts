import { z } from "zod";
import { idSchema, instantSchema } from "../http/api-response-schemas.ts";

const userFields = {
  id: idSchema,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  isClient: z.boolean(),
  isAdmin: z.boolean(),
};

/** A user as the administrator sees it. */
export const userResponseSchema = z.object(userFields).meta({ id: "User" });

/** A user as seen by its owner, without the password hash. */
export const accountResponseSchema = z
  .object({
    ...userFields,
    phone: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: "Account" });

export const signInResponseSchema = accountResponseSchema
  .extend({
    eraseAfter: instantSchema
      .optional()
      .meta({ description: "For an account that is to be deleted: until then it can be kept" }),
  })
  .meta({ id: "SignedIn" });

export const signInRefusedResponseSchema = z
  .object({
    message: z.string(),
    secondFactor: z.literal(true).optional().meta({ description: "The password was right; send it again with `code`" }),
  })
  .meta({ id: "SignInRefused" });

export const secondFactorSetupResponseSchema = z
  .object({
    secret: z.string().meta({ description: "base32, for codes as in RFC 6238: 6 digits, 30 seconds" }),
    uri: z.string().meta({ description: "otpauth:, for a QR code" }),
  })
  .meta({ id: "SecondFactorSetup" });

export const recoveryCodesResponseSchema = z
  .object({ recoveryCodes: z.array(z.string()).meta({ description: "Each replaces a code once" }) })
  .meta({ id: "RecoveryCodes" });

/** An open session as its owner sees it. */
export const deviceResponseSchema = z
  .object({
    id: idSchema,
    current: z.boolean(),
    createdAt: instantSchema,
    lastSeenAt: instantSchema,
    device: z.string(),
  })
  .meta({ id: "Device" });

/** An entry of the access log: what was done with a family's data, by whom and when. */
export const accessLogEntryResponseSchema = z
  .object({ at: instantSchema, who: z.string(), what: z.string() })
  .meta({ id: "AccessLogEntry" });
