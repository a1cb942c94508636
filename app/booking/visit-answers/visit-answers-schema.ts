import { z } from "zod";
import { optionalMultiLineText } from "../../http/field-schemas.ts";
import { MAX_ANSWER_LENGTH } from "./visit-question-texts.ts";

const answerSchema = () => optionalMultiLineText("The answer", MAX_ANSWER_LENGTH);

/** Answers to the questions before a visit. At least one answer is required. */
export const visitAnswersSchema = z
  .object({ important: answerSchema(), change: answerSchema(), pages: answerSchema() })
  .refine((answers) => Object.values(answers).some((each) => each != null), {
    path: ["important"],
    error: "Answer at least one of the questions.",
  });
