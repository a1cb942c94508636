import { type SubmissionResult } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useBlocker, useNavigate, useRevalidator } from "react-router";
import { Button } from "../ui/button.tsx";
import { ErrorSummary, TextField } from "../ui/form.tsx";
import { type Notice, showNotice } from "../ui/notice.ts";
import { usePageForm } from "../ui/page-form.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { LIST, NEW } from "./addresses.ts";
import { FileField } from "./file-field.tsx";
import { failureOf, UPLOADED } from "./messages.ts";
import { LONGEST_DESCRIPTION, LONGEST_NAME, SAYS } from "./rules.ts";
import { UploadItems } from "./upload-items.tsx";
import { UploadTarget, type UploadTargetProps } from "./upload-target.tsx";
import { type Failure, type Item, useUploads } from "./use-uploads.ts";

type Fields = {
  file: string;
  customFileName: string;
  description: string;
  userId: string;
  appointmentId: string;
  isSharedWithClient: string;
};

export const UPLOAD_TITLE = "Upload Document";

type RefusedForm = { result: SubmissionResult<string[]>; notice: Notice | null };

type UploadFormProps = Omit<UploadTargetProps, "fields"> & {
  preset: { userId: string; appointmentId: string };
  answer?: RefusedForm;
};

/** A plain form that sends one file. Once the page runs: several, one after another, with their progress. */
export function UploadForm({ answer, preset, ...target }: UploadFormProps) {
  const uploads = useUploads();
  const { items } = uploads;
  const isOneOfMany = items.length > 1;
  const waiting = items.filter(({ state }) => state !== "done");
  const isBusy = items.some(({ state }) => state === "sending" || state === "waiting");
  const [refused, setRefused] = useState<RefusedForm>();
  const shown = refused ?? answer;
  const defaultValue = { ...preset, isSharedWithClient: "true" };
  const [form, fields] = usePageForm<Fields>({ lastResult: shown?.result, defaultValue });
  const element = useRef<HTMLFormElement>(null);
  const prefilled = useRef("");
  const revalidator = useRevalidator();
  const navigate = useNavigate();
  useStayWhileSending(uploads.isSending, uploads.cancel);

  /** Null takes away what was said of an earlier try. */
  function refuse(failure: Failure | null) {
    const error = failure?.errors ?? {};
    setRefused({ result: { status: "error", error }, notice: failure && { ...failure.notice } });
  }

  function choose(files: File[]) {
    if (shown) refuse(null);
    const [first] = uploads.choose(files);
    const field = nameField(element.current);
    if (!first || !field || (field.value.trim() !== "" && field.value !== prefilled.current)) return;
    prefilled.current = field.value = first.name;
  }

  async function send(chosen: Item[]) {
    const data = new FormData(element.current ?? undefined);
    const common = ["description", "isSharedWithClient", "userId", "appointmentId"].map((name) => [
      name,
      String(data.get(name) ?? ""),
    ]);
    const { done, failures } = await uploads.send(Object.fromEntries(common) as Record<string, string>, chosen);
    const left = items.filter(({ key, state }) => state !== "done" && !chosen.some((each) => each.key === key));
    if (done === chosen.length && left.length === 0) await finish();
    const [failure] = failures;
    if (failure && items.length === 1) refuse(failure);
    else if (failure) showNotice(failure.notice);
  }

  async function finish() {
    if (uploads.isSending()) return;
    await revalidator.revalidate();
    await navigate(LIST, { preventScrollReset: true });
    showNotice(
      items.length === 1 ? UPLOADED : { ...UPLOADED, description: `${items.length} documents are in your list.` },
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    begin(waiting);
  }

  /** The one file of a form goes under the name typed there, also when it is tried again. */
  function begin(chosen: Item[]) {
    if (uploads.isSending()) return;
    const name = nameField(element.current)?.value ?? "";
    const named = isOneOfMany ? chosen : chosen.map((item) => ({ ...item, name }));
    const mistake = mistakeOf(named, items.length);
    refuse(mistake);
    if (!mistake) void send(named);
  }

  return (
    <form
      ref={element}
      id={form.id}
      method="post"
      action={NEW}
      encType="multipart/form-data"
      noValidate
      className="grid gap-6"
      onSubmit={submit}
    >
      <PageTitle hasError={Object.keys(form.allErrors).length > 0}>{UPLOAD_TITLE}</PageTitle>
      <ErrorSummary form={form} notice={shown?.notice} />
      {target.isAdmin ? null : <input type="hidden" name="isSharedWithClient" value="true" />}
      <FileField field={fields.file} onChoose={choose} />
      <div hidden={isOneOfMany}>
        <TextField
          field={fields.customFileName}
          label="Document Name"
          hint={
            target.isAdmin
              ? "The name that you and the family will see."
              : "The name that you and your consultant will see."
          }
          maxLength={LONGEST_NAME}
          autoComplete="off"
        />
      </div>
      <UploadItems
        items={items}
        isBusy={isBusy}
        isSaidAbove={!isOneOfMany && fields.file.errors !== undefined}
        onRename={uploads.rename}
        onDrop={uploads.drop}
        onCancel={uploads.cancel}
        onRetry={(item) => begin([item])}
      />
      <TextField field={fields.description} label="Description" optional rows={3} maxLength={LONGEST_DESCRIPTION} />
      <UploadTarget fields={fields} {...target} />
      <Button type="submit" variant="primary" className="justify-self-start" aria-disabled={isBusy || undefined}>
        {isBusy
          ? "Uploading…"
          : isOneOfMany
            ? `Upload ${waiting.length} Document${waiting.length === 1 ? "" : "s"}`
            : "Upload"}
      </Button>
    </form>
  );
}

function mistakeOf(waiting: Item[], count: number): Failure | null {
  const errors: Record<string, string[]> = {};
  const problems = waiting.flatMap(({ problem, state }) => (problem && state === "chosen" ? [problem] : []));
  if (count === 0) errors.file = [SAYS.noFile];
  else if (problems.length > 0) errors.file = [...new Set(problems)];
  if (count > 0 && waiting.some(({ name }) => name.trim() === "")) errors.customFileName = [SAYS.noName];
  const [message] = Object.values(errors).flat();
  return message === undefined ? null : { notice: failureOf({ message, errors }), errors };
}

function nameField(form: HTMLFormElement | null): HTMLInputElement | null {
  const field = form?.elements.namedItem("customFileName");
  return field instanceof HTMLInputElement ? field : null;
}

/** Closing the dialog would end an upload that is under way: ask first. */
function useStayWhileSending(isSending: () => boolean, cancel: () => void) {
  const blocker = useBlocker(isSending);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (!window.confirm("Your document is still on its way. Stop the upload?")) return blocker.reset();
    cancel();
    blocker.proceed();
  }, [blocker, cancel]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isSending()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
}
