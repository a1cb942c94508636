import { type SubmissionResult } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useBlocker, useLocation, useNavigate, useRevalidator } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary, hasFieldErrors } from "../../ui/error-summary.tsx";
import { type Notice, showToast } from "../../ui/toast.ts";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { DOCUMENTS_PATH, NEW_DOCUMENT_PATH } from "../document-paths.ts";
import { FileField } from "./file-field.tsx";
import { uploadVisibilityText, uploadFailureNotice, UPLOADED_NOTICE } from "./upload-notices.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_DOCUMENT_NAME_LENGTH, UPLOAD_MESSAGES } from "../document-file-rules.ts";
import { UploadItems } from "./upload-items.tsx";
import { UploadTargetFields, type UploadTargetFieldsProps, VisibilityField } from "./upload-target-fields.tsx";
import { type FailedUpload, type UploadFailure, type UploadItem, useUploads } from "./use-uploads.ts";

type UploadFormFields = {
  file: string;
  customFileName: string;
  description: string;
  userId: string;
  appointmentId: string;
  isSharedWithClient: string;
};

export const UPLOAD_TITLE = "Upload Document";

type FormErrorData = { result: SubmissionResult<string[]>; notice: Notice | null };

type UploadFormProps = Omit<UploadTargetFieldsProps, "fields"> & {
  preset: { userId: string; appointmentId: string };
  /** Page to open after the upload. */
  closePath: string;
  /** The name of the family that the upload is for, if the URL names a family; otherwise null. */
  familyName: string | null;
  /** Whether families are notified by email. */
  isMailed: boolean;
  /** Whether files are scanned for viruses after they have arrived. */
  isScanned: boolean;
  formError?: FormErrorData;
};

/**
 * Shows a plain form that uploads one file. With JavaScript it uploads several, one after another, and shows their
 * progress.
 */
export function UploadForm({
  formError,
  preset,
  closePath,
  familyName,
  isMailed,
  isScanned,
  ...targetProps
}: UploadFormProps) {
  const uploads = useUploads();
  const { items } = uploads;
  const isOneOfMany = items.length > 1;
  const pending = items.filter(({ state }) => state !== "done");
  const isBusy = items.some(({ state }) => state === "sending" || state === "waiting");
  const [clientError, setClientError] = useState<FormErrorData>();
  const shownError = clientError ?? formError;
  const defaultValue = { ...preset, isSharedWithClient: "true" };
  const [form, fields] = useServerValidatedForm<UploadFormFields>({ lastResult: shownError?.result, defaultValue });
  const formRef = useRef<HTMLFormElement>(null);
  const prefilledName = useRef("");
  const revalidator = useRevalidator();
  const navigate = useNavigate();
  const { search } = useLocation();
  useBlockNavigationDuringUpload(uploads.isSending, uploads.cancelAll);

  /** Shows the errors of a failed attempt. Null clears earlier errors. */
  function showFailure(failure: UploadFailure | null) {
    const error = failure?.errors ?? {};
    setClientError({ result: { status: "error", error }, notice: failure && { ...failure.notice } });
  }

  function onFilesSelected(files: File[]) {
    if (shownError) showFailure(null);
    const [first] = uploads.selectFiles(files);
    const field = findNameInput(formRef.current);
    if (!first || !field || (field.value.trim() !== "" && field.value !== prefilledName.current)) return;
    prefilledName.current = field.value = first.name;
  }

  async function send(chosen: UploadItem[]) {
    const data = new FormData(formRef.current ?? undefined);
    const sharedFields = ["description", "isSharedWithClient", "userId", "appointmentId"].map((name) => [
      name,
      String(data.get(name) ?? ""),
    ]);
    const { done, failures } = await uploads.send(Object.fromEntries(sharedFields) as Record<string, string>, chosen);
    const remaining = items.filter(({ key, state }) => state !== "done" && !chosen.some((each) => each.key === key));
    if (done === chosen.length && remaining.length === 0) await finish();
    const [failure] = failures;
    if (failure && items.length === 1) showFailure(failure);
    else if (failure) showToast(withFileName(failure));
  }

  async function finish() {
    if (uploads.isSending()) return;
    const isShared = new FormData(formRef.current ?? undefined).get("isSharedWithClient") === "true";
    clearSentFields(formRef.current);
    await revalidator.revalidate();
    await navigate(closePath, { preventScrollReset: closePath === DOCUMENTS_PATH });
    const texts = [
      items.length > 1 && `${items.length} documents are in your list.`,
      targetProps.isAdmin && uploadVisibilityText(isShared, { name: familyName ?? "The family", isMailed }),
    ];
    showToast({ ...UPLOADED_NOTICE, description: texts.filter(Boolean).join(" ") });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    startUpload(pending);
  }

  /** Starts the uploads. A single file gets the name in the form's field, even when it is retried. */
  function startUpload(chosen: UploadItem[]) {
    if (uploads.isSending()) return;
    const name = findNameInput(formRef.current)?.value ?? "";
    const namedItems = isOneOfMany ? chosen : chosen.map((item) => ({ ...item, name }));
    const failure = validateItems(namedItems, items.length);
    showFailure(failure);
    if (!failure) void send(namedItems);
  }

  return (
    <form
      ref={formRef}
      id={form.id}
      method="post"
      // The only page URL that accepts a file.
      action={`${NEW_DOCUMENT_PATH}${familyName === null ? search : `?userId=${preset.userId}`}`}
      encType="multipart/form-data"
      noValidate
      className="grid gap-6"
      onSubmit={submit}
    >
      <PageMeta hasError={Object.keys(form.allErrors).length > 0}>{UPLOAD_TITLE}</PageMeta>
      <ErrorSummary
        form={form}
        // If a field shows an error, the notice has only a title, because its text would repeat the error.
        notice={
          shownError?.notice &&
          (hasFieldErrors(form.allErrors) ? { title: shownError.notice.title } : shownError.notice)
        }
      />
      {targetProps.isAdmin ? null : <input type="hidden" name="isSharedWithClient" value="true" />}
      {/* The consultant's choices for one family are not restored automatically. */}
      {!targetProps.isAdmin && <FormAutosave name={`upload ${search}`} />}
      <FileField field={fields.file} onSelect={onFilesSelected} />
      {targetProps.isAdmin && <VisibilityField field={fields.isSharedWithClient} />}
      <div hidden={isOneOfMany} data-no-autosave>
        <TextField
          field={fields.customFileName}
          label="Document Name"
          hint={
            targetProps.isAdmin
              ? "The name that you and the family will see."
              : "The name that you and your consultant will see."
          }
          maxLength={MAX_DOCUMENT_NAME_LENGTH}
          autoComplete="off"
        />
      </div>
      <UploadItems
        items={items}
        isBusy={isBusy}
        isScanned={isScanned}
        isProblemShownAbove={!isOneOfMany && fields.file.errors !== undefined}
        onRename={uploads.rename}
        onRemove={uploads.remove}
        onCancel={uploads.cancelCurrent}
        onRetry={(item) => startUpload([item])}
      />
      <TextField field={fields.description} label="Description" optional rows={3} maxLength={MAX_DESCRIPTION_LENGTH} />
      <UploadTargetFields fields={fields} {...targetProps} />
      <Button type="submit" variant="primary" className="justify-self-start" aria-disabled={isBusy || undefined}>
        {isBusy
          ? "Uploading…"
          : isOneOfMany
            ? `Upload ${pending.length} Document${pending.length === 1 ? "" : "s"}`
            : "Upload"}
      </Button>
    </form>
  );
}

/** Adds the name of the failed file to the notice, for use when there are several files. */
function withFileName({ notice, fileName }: FailedUpload): Notice {
  return { ...notice, description: `${notice.description} (${fileName})` };
}

function validateItems(items: UploadItem[], count: number): UploadFailure | null {
  const errors: Record<string, string[]> = {};
  const problems = items.flatMap(({ problem, state }) => (problem && state === "chosen" ? [problem] : []));
  if (count === 0) errors.file = [UPLOAD_MESSAGES.noFile];
  else if (problems.length > 0) errors.file = [...new Set(problems)];
  if (count > 0 && items.some(({ name }) => name.trim() === "")) errors.customFileName = [UPLOAD_MESSAGES.noName];
  const [message] = Object.values(errors).flat();
  return message === undefined ? null : { notice: uploadFailureNotice({ message, errors }), errors };
}

function findNameInput(form: HTMLFormElement | null): HTMLInputElement | null {
  const field = form?.elements.namedItem("customFileName");
  return field instanceof HTMLInputElement ? field : null;
}

/** Resets a form that was sent without a navigation. The input event notifies FormAutosave of the change. */
function clearSentFields(form: HTMLFormElement | null): void {
  form?.reset();
  form?.dispatchEvent(new Event("input"));
}

/** Asks for confirmation before the dialog closes during an upload, which would abort it. */
function useBlockNavigationDuringUpload(isSending: () => boolean, cancelAll: () => void) {
  const blocker = useBlocker(isSending);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (!window.confirm("Your document is still on its way. Stop the upload?")) return blocker.reset();
    cancelAll();
    blocker.proceed();
  }, [blocker, cancelAll]);
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (isSending()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [isSending]);
}
