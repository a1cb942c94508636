import { z } from "zod";
import { idSchema, instantSchema } from "../http/api-response-schemas.ts";
import { INTAKE_DOCUMENT_ID } from "./intake-document.ts";

export const documentListQuerySchema = z.object({
  before: idSchema.optional().meta({
    description: "The id of the last document of a list: the list goes on after it, and is empty at the end",
  }),
});

export const storedDocumentResponseSchema = z
  .object({
    id: z
      .union([idSchema, z.literal(INTAKE_DOCUMENT_ID)])
      .meta({ description: `${INTAKE_DOCUMENT_ID} is the family's intake form as a text file` }),
    userId: idSchema,
    appointmentId: idSchema.nullable(),
    fileName: z.string(),
    fileType: z.string().meta({ description: "MIME type" }),
    fileSize: z.int().min(0).meta({ description: "Bytes" }),
    description: z.string().nullable(),
    isSharedWithClient: z.boolean(),
    uploadedAt: instantSchema,
  })
  .meta({ id: "Document" });
