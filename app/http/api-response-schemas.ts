import { z } from "zod";
import { MAX_ID } from "./field-schemas.ts";

// Schemas that API responses are composed of. An instant is a Date in the code and a string in JSON.

export const idSchema = z.int().min(1).max(MAX_ID);
export const instantSchema = z.date();
/** Schema of an amount in US dollars. Cents are the two decimals. */
export const dollarsSchema = z.number().meta({ description: "US dollars with at most two decimals" });
export const messageResponseSchema = z.object({ message: z.string() }).meta({ id: "Message" });

/** Builds the schema of a text column that the database limits to `values`. */
export function unvalidatedEnumSchema(values: readonly string[]) {
  return z.string().meta({ enum: [...values] });
}
