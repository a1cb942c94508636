import { z } from "zod";
import { instantSchema } from "../http/api-response-schemas.ts";

export const erasureResponseSchema = z
  .object({
    message: z.string(),
    eraseAfter: instantSchema.meta({ description: "Until then the account can be kept" }),
  })
  .meta({ id: "ErasureRequested" });
