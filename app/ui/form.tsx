export { CheckboxListField, RadioField } from "./choice-fields.tsx";
export { ErrorSummary } from "./error-summary.tsx";
export { SelectField, TextField } from "./text-fields.tsx";
