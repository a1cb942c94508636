import { Button } from "../../ui/button.tsx";
import type { CallState } from "./call-state.ts";

type DeviceProblemProps = {
  media: CallState["media"];
  /** Whether reloading the page loses nothing, for example in the waiting room. */
  canReload?: boolean;
};

/** Explains why camera or microphone is unavailable, what to do, and that the person can join without it. */
export function DeviceProblem({ media: { camera, microphone }, canReload = false }: DeviceProblemProps) {
  const isUnavailable = (state: typeof camera) => state === "denied" || state === "missing";
  if (!isUnavailable(camera) && !isUnavailable(microphone)) return null;
  const deniedDevices = deviceNames(camera === "denied", microphone === "denied", "and");
  const isDenied = camera === "denied" || microphone === "denied";
  return (
    <div role="alert" className="notice notice-danger refused">
      {isUnavailable(camera) && (
        <p className="font-bold">
          Camera access denied or unavailable. Please allow camera permissions and refresh the page.
        </p>
      )}
      {isUnavailable(microphone) && (
        <p className="font-bold">
          {isUnavailable(camera)
            ? "The same goes for the microphone."
            : "Microphone access denied or unavailable. Please allow microphone permissions and refresh the page."}
        </p>
      )}
      {(camera === "missing" || microphone === "missing") && (
        <p>
          We found no {deviceNames(camera === "missing", microphone === "missing")} on this device. If you have one,
          plug it in, then load this page again.
        </p>
      )}
      {isDenied && (
        <details>
          <summary className="text-summary">How to allow the {deniedDevices}</summary>
          <PermissionSteps
            device={deniedDevices}
            lastStep={canReload ? "Load this page again." : "Press the button above again."}
          />
        </details>
      )}
      <p>
        {isUnavailable(microphone)
          ? `You can still ${canReload ? "join" : "see, hear"} and write in the chat.`
          : `You can still ${canReload ? "join with sound only, or chat" : "talk, and write in the chat"}.`}
      </p>
      {canReload && (
        <Button type="button" onClick={() => window.location.reload()}>
          Load this page again
        </Button>
      )}
    </div>
  );
}

function PermissionSteps({ device, lastStep }: { device: string; lastStep: string }) {
  return (
    <ol>
      <li>Press the lock or camera icon beside the page's address, and allow the {device}.</li>
      <li>On a phone, also open Settings, find your browser, and allow the {device} there.</li>
      <li>Close other apps that use the {device}.</li>
      <li>{lastStep}</li>
    </ol>
  );
}

function deviceNames(isCamera: boolean, isMicrophone: boolean, conjunction = "or"): string {
  return [isCamera ? "camera" : "", isMicrophone ? "microphone" : ""].filter(Boolean).join(` ${conjunction} `);
}
