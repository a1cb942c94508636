import type { CallState } from "./call-state.ts";

/** Camera or microphone can't be had: the specification's words (§8), what to do, and that one can join anyway. */
export function Refused({ media }: { media: CallState["media"] }) {
  const isCamera = media.camera === "refused";
  const isMicrophone = media.microphone === "refused";
  if (!isCamera && !isMicrophone) return null;
  return (
    <div role="alert" className="notice notice-danger">
      {isCamera && (
        <p className="font-bold">
          Camera access denied or unavailable. Please allow camera permissions and refresh the page.
        </p>
      )}
      {isMicrophone && (
        <p className="font-bold">
          Microphone access denied or unavailable. Please allow microphone permissions and refresh the page.
        </p>
      )}
      <p>
        To allow it, press the lock or camera sign beside the page's address. Close other programs that use it. On a
        phone, look under Settings for your browser.
      </p>
      <p>
        {isMicrophone ? "You can still join and write in the chat." : "You can still join with sound only, or chat."}
      </p>
    </div>
  );
}
