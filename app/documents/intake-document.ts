/** Id of the completed intake form in a family's document list. */
export const INTAKE_DOCUMENT_ID = -1;
export const INTAKE_FILE_NAME = "intake-form.txt";
export const INTAKE_SAVED_NOTICE = { title: "Intake Form Saved", description: "To read it here, choose View." };
