import type { ChangeEvent } from "react";
import { MAX_PORTRAIT_BYTES, MAX_PORTRAIT_KB, ACCEPTED_PORTRAIT_TYPES } from "../../practice/portrait-limits.ts";
import { controlProps, Field } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";

const PORTRAIT_HINT = `JPEG, PNG or WebP, up to ${MAX_PORTRAIT_KB} KB. A picture taller than wide looks best.`;
/** Three times the height of the largest portrait on a page. */
const MAX_SIDE_PX = 540;
const JPEG_QUALITY = 0.85;

/** Shows a file input for the portrait. With script, a larger photo is scaled down before it is submitted. */
export function PortraitField({ field, portrait }: { field: AnyField; portrait: string | null }) {
  return (
    <Field field={field} label="Picture of you" hint={PORTRAIT_HINT} optional>
      {portrait && (
        <img src={portrait} alt="What families see now" width={160} height={180} className="portrait mb-3" />
      )}
      <input
        {...controlProps({ field, hint: PORTRAIT_HINT, optional: true })}
        type="file"
        accept={ACCEPTED_PORTRAIT_TYPES}
        className="input"
        onChange={(event) => void replaceWithScaledPortrait(event)}
      />
    </Field>
  );
}

/** Scales down a large photo. A photo that can't be read stays unchanged, and the server reports the error. */
async function replaceWithScaledPortrait({ currentTarget: input }: ChangeEvent<HTMLInputElement>): Promise<void> {
  const [file] = input.files ?? [];
  if (!file || file.size <= MAX_PORTRAIT_BYTES) return;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(
    (blob) => {
      if (!blob || input.files?.[0] !== file) return;
      const transfer = new DataTransfer();
      transfer.items.add(new File([blob], "portrait.jpg", { type: blob.type }));
      input.files = transfer.files;
    },
    "image/jpeg",
    JPEG_QUALITY,
  );
}
