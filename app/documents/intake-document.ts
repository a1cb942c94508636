/** The completed intake form stands in a family's list as a document of this id (specification §2). */
export const INTAKE_DOCUMENT_ID = -1;
export const INTAKE_FILE_NAME = "intake-form.txt";
export const INTAKE_SAVED_NOTICE = { title: "Intake Form Saved", description: "To read it here, choose View." };
