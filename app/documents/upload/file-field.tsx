import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { controlProps, Field } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { ACCEPTED_FILE_TYPES, MAX_FILE_MB } from "../document-file-rules.ts";

const FILE_HINT = `PDF, Word, text, picture, audio, video, ZIP or RAR. Up to ${MAX_FILE_MB} MB each.`;

type FileFieldProps = { field: AnyField; onSelect: (files: File[]) => void };

/** Shows a native file input. With JavaScript, it also accepts dropped files, and several at once. */
export function FileField({ field, onSelect }: FileFieldProps) {
  const isHydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  // React gets no change event for a file that was chosen before hydration.
  const selectEarlyFiles = useEffectEvent(() => {
    const chosen = input.current?.files ?? [];
    if (chosen.length > 0) onSelect([...chosen]);
  });
  useEffect(() => selectEarlyFiles(), []);

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setIsDragOver(false);
    if (!input.current || event.dataTransfer.files.length === 0) return;
    input.current.files = event.dataTransfer.files;
    onSelect([...event.dataTransfer.files]);
  }
  function onDragOver(event: DragEvent) {
    event.preventDefault();
    setIsDragOver(true);
  }

  return (
    <Field field={field} label="File" hint={FILE_HINT}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions: the field inside does the same by keyboard. */}
      <div
        className="drop-zone"
        data-drag-over={isDragOver || undefined}
        onDragOver={onDragOver}
        onDragEnter={onDragOver}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={onDrop}
      >
        <input
          ref={input}
          {...controlProps({ field, hint: FILE_HINT })}
          type="file"
          accept={ACCEPTED_FILE_TYPES}
          multiple={isHydrated}
          className="input"
          onChange={(event) => onSelect([...(event.currentTarget.files ?? [])])}
        />
        <p className="scripted hint mt-2">You can also drop files here, several at once.</p>
      </div>
    </Field>
  );
}
