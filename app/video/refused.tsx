import { Button } from "../ui/button.tsx";
import type { CallState } from "./call-state.ts";

type RefusedProps = {
  media: CallState["media"];
  /** Nothing would be lost by loading the page again. */ mayReload?: boolean;
};

/** Camera or microphone can't be had: the specification's words (§8), what to do, and that one can join anyway. */
export function Refused({ media: { camera, microphone }, mayReload = false }: RefusedProps) {
  const lacks = (state: typeof camera) => state === "refused" || state === "missing";
  if (!lacks(camera) && !lacks(microphone)) return null;
  const isRefused = camera === "refused" || microphone === "refused";
  return (
    <div role="alert" className="notice notice-danger refused">
      {lacks(camera) && (
        <p className="font-bold">
          Camera access denied or unavailable. Please allow camera permissions and refresh the page.
        </p>
      )}
      {lacks(microphone) && (
        <p className="font-bold">
          {lacks(camera)
            ? "The same goes for the microphone."
            : "Microphone access denied or unavailable. Please allow microphone permissions and refresh the page."}
        </p>
      )}
      {(camera === "missing" || microphone === "missing") && (
        <p>
          We found no {namesOf(camera === "missing", microphone === "missing")} on this device. If you have one, plug it
          in, then load this page again.
        </p>
      )}
      {isRefused && (
        <Steps
          device={namesOf(camera === "refused", microphone === "refused", "and")}
          last={mayReload ? "Load this page again." : "Press the button above again."}
        />
      )}
      <p>
        {lacks(microphone)
          ? `You can still ${mayReload ? "join" : "see, hear"} and write in the chat.`
          : `You can still ${mayReload ? "join with sound only, or chat" : "talk, and write in the chat"}.`}
      </p>
      {mayReload && (
        <Button type="button" onClick={() => window.location.reload()}>
          Load this page again
        </Button>
      )}
    </div>
  );
}

function Steps({ device, last }: { device: string; last: string }) {
  return (
    <ol>
      <li>Press the lock or camera sign beside the page&apos;s address, and allow the {device}.</li>
      <li>On a phone, also open Settings, find your browser, and allow the {device} there.</li>
      <li>Close other programs that use the {device}.</li>
      <li>{last}</li>
    </ol>
  );
}

function namesOf(isCamera: boolean, isMicrophone: boolean, and = "or"): string {
  return [isCamera ? "camera" : "", isMicrophone ? "microphone" : ""].filter(Boolean).join(` ${and} `);
}
