import { z } from "zod";
import { requiredId } from "../../http/field-schemas.ts";

/** The last change of the payment page's script that the consultant was shown. */
export const acceptScriptSchema = z.object({ upTo: requiredId("Choose a change of the script.") });
