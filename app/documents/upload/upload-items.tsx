import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { AlertIcon, CheckIcon } from "../../ui/icons.tsx";
import { MAX_DOCUMENT_NAME_LENGTH, formatBytes } from "../document-file-rules.ts";
import { timeLeftText } from "./send-upload.ts";
import type { UploadItem } from "./use-uploads.ts";

const OFFLINE_MESSAGE = "The connection was lost. The upload will start over once you're back online.";

const SCAN_TEXT = "Being checked for viruses…";

type UploadItemButtons = {
  onRename: (key: number, name: string) => void;
  onRemove: (key: number) => void;
  onCancel: () => void;
  onRetry: (item: UploadItem) => void;
};

type UploadItemsProps = UploadItemButtons & {
  items: UploadItem[];
  /** Whether a file is being sent or is waiting for the connection. The other files must wait. */
  isBusy: boolean;
  isScanned: boolean;
  /** Whether the problem of a single file is shown at the file field instead. */
  isProblemShownAbove: boolean;
};

/** Shows the chosen files with their upload progress. */
export function UploadItems({ items, ...rest }: UploadItemsProps) {
  return (
    <>
      {items.length > 0 && (
        <ul className="grid gap-3" aria-label="Chosen files">
          {items.map((item) => (
            <ItemRow key={item.key} item={item} isOneOfMany={items.length > 1} {...rest} />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {uploadAnnouncement(items, rest.isScanned)}
      </p>
    </>
  );
}

type ItemRowProps = Omit<UploadItemsProps, "items"> & { item: UploadItem; isOneOfMany: boolean };

function ItemRow({ item, isOneOfMany, isProblemShownAbove, ...actions }: ItemRowProps) {
  const { file, state, problem } = item;
  return (
    <li className="grid gap-2 rounded-md bg-sunk p-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <bdi className="font-bold wrap-anywhere">{file.name}</bdi>
        <span className="text-muted">{formatBytes(file.size)}</span>
      </p>
      {isOneOfMany && state !== "done" && <NameInput item={item} onRename={actions.onRename} />}
      {state === "sending" && <UploadProgress item={item} isScanned={actions.isScanned} />}
      {state === "waiting" && <p className="font-bold">{OFFLINE_MESSAGE}</p>}
      {state === "done" && (
        <p className="flex gap-2 text-good">
          <CheckIcon className="size-6" /> Uploaded
        </p>
      )}
      {state === "cancelled" && <p>Stopped. Nothing was kept.</p>}
      {problem && !isProblemShownAbove && (
        <p className="field-error">
          <AlertIcon className="mt-0.5 size-5" /> {problem}
        </p>
      )}
      <UploadItemButtons item={item} isOneOfMany={isOneOfMany} {...actions} />
    </li>
  );
}

function NameInput({ item, onRename }: { item: UploadItem; onRename: UploadItemButtons["onRename"] }) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="label">
        Document Name<span className="sr-only"> for {item.file.name}</span>
      </label>
      <input
        id={id}
        className="input"
        value={item.name}
        maxLength={MAX_DOCUMENT_NAME_LENGTH}
        autoComplete="off"
        required
        readOnly={item.state === "sending" || item.state === "waiting"}
        onChange={(event) => onRename(item.key, event.currentTarget.value)}
      />
    </div>
  );
}

function UploadProgress({ item: { file, sentBytes, elapsedMs }, isScanned }: { item: UploadItem; isScanned: boolean }) {
  const checkText = isScanned ? SCAN_TEXT : "checking the file…";
  const remainingText = sentBytes >= file.size ? checkText : timeLeftText(sentBytes, file.size, elapsedMs);
  return (
    <>
      <progress className="progress" max={file.size} value={sentBytes} aria-label={`Upload of ${file.name}`} />
      <p className="text-muted">
        {formatBytes(sentBytes)} of {formatBytes(file.size)}
        {remainingText && ` · ${remainingText}`}
      </p>
    </>
  );
}

function UploadItemButtons({
  item,
  isOneOfMany,
  isBusy,
  onRemove,
  onCancel,
  onRetry,
}: Omit<ItemRowProps, "isProblemShownAbove" | "isScanned">) {
  const { key, file, state } = item;
  const fileLabel = <span className="sr-only"> {file.name}</span>;
  if (state === "sending" || state === "waiting") {
    return (
      <Button type="button" onClick={onCancel} className="justify-self-start">
        Cancel upload{fileLabel}
      </Button>
    );
  }
  const canRetry = state === "cancelled" || state === "failed";
  if (!canRetry && !(isOneOfMany && state === "chosen")) return null;
  return (
    <div className="actions">
      {canRetry && (
        <Button type="button" aria-disabled={isBusy || undefined} onClick={() => onRetry(item)}>
          Try again{fileLabel}
        </Button>
      )}
      {isOneOfMany && (
        <Button type="button" variant="quiet" className={canRetry ? "" : "-ml-3"} onClick={() => onRemove(key)}>
          Remove{fileLabel}
        </Button>
      )}
    </div>
  );
}

/**
 * Returns the text for screen readers. It changes at the start, at each quarter and at the end, because announcing
 * every step would be too much.
 */
function uploadAnnouncement(items: UploadItem[], isScanned: boolean): string {
  if (items.some(({ state }) => state === "waiting")) return OFFLINE_MESSAGE;
  const current = items.find(({ state }) => state === "sending");
  if (!current) return items.length > 0 && items.every(({ state }) => state === "done") ? "Uploaded." : "";
  if (isScanned && current.sentBytes >= current.file.size) return `${current.file.name}: ${SCAN_TEXT}`;
  const quarter = Math.floor((4 * current.sentBytes) / current.file.size) * 25;
  return `Uploading ${current.file.name}: ${quarter} percent.`;
}
