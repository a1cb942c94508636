import { type DragEvent, useRef, useState } from "react";
import { controlProps, Field } from "../ui/field.tsx";
import { useHydrated } from "../ui/is-running.ts";
import type { AnyField } from "../ui/page-form.ts";
import { ACCEPT, LARGEST_FILE_MB } from "./rules.ts";

const HINT = `PDF, Word, text, picture, audio, video, ZIP or RAR. At most ${LARGEST_FILE_MB} MB each.`;

type FileFieldProps = { field: AnyField; onChoose: (files: File[]) => void };

/** The browser's own file field; on a running page files can be dropped on it too, and several at once. */
export function FileField({ field, onChoose }: FileFieldProps) {
  const isRunning = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    if (!input.current || event.dataTransfer.files.length === 0) return;
    input.current.files = event.dataTransfer.files;
    onChoose([...event.dataTransfer.files]);
  }
  function over(event: DragEvent) {
    event.preventDefault();
    setIsOver(true);
  }

  return (
    <Field field={field} label="File" hint={HINT}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions: the field inside does the same by keyboard. */}
      <div
        className="drop-zone"
        data-over={isOver || undefined}
        onDragOver={over}
        onDragEnter={over}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          {...controlProps({ field, hint: HINT })}
          type="file"
          accept={ACCEPT}
          multiple={isRunning}
          className="input"
          onChange={(event) => onChoose([...(event.currentTarget.files ?? [])])}
        />
        <p className="scripted hint mt-2">You can also drop files here, several at once.</p>
      </div>
    </Field>
  );
}
