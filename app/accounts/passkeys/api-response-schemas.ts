import { z } from "zod";
import { idSchema, instantSchema } from "../../http/api-response-schemas.ts";

/** A passkey as its owner sees it. */
export const passkeyResponseSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    createdAt: instantSchema,
    lastUsedAt: instantSchema.nullable().meta({ description: "Null until it is used" }),
  })
  .meta({ id: "Passkey" });

export const addedPasskeyResponseSchema = z
  .object({
    passkey: passkeyResponseSchema,
    recoveryCodes: z.array(z.string()).meta({ description: "Ten with an administrator's first passkey, else none" }),
  })
  .meta({ id: "NewPasskey" });

/**
 * The options that the browser's `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read (Web
 * Authentication, level 3).
 */
export const passkeyOptionsResponseSchema = z
  .looseObject({ challenge: z.string().meta({ description: "base64url; counts once, for five minutes" }) })
  .meta({ id: "PasskeyOptions" });
