import type { ReactNode } from "react";
import { VideoIcon } from "../ui/icons.tsx";
import type { Call } from "./call.client.ts";
import type { CallState } from "./call-state.ts";
import { CameraOffIcon, FlipIcon, MicrophoneIcon, MicrophoneOffIcon } from "./icons.tsx";

/** Camera, microphone and flip, the same in the waiting room and in the room. */
export function DeviceControls({ call, media }: { call: Call; media: CallState["media"] }) {
  const isCamera = media.camera === "on";
  const isMicrophone = media.microphone === "on";
  return (
    <>
      <Toggle label="Camera" isOn={isCamera} isAsking={media.camera === "asking"} press={() => call.toggle("camera")}>
        {isCamera ? <VideoIcon /> : <CameraOffIcon />}
      </Toggle>
      <Toggle
        label="Microphone"
        isOn={isMicrophone}
        isAsking={media.microphone === "asking"}
        press={() => call.toggle("microphone")}
      >
        {isMicrophone ? <MicrophoneIcon /> : <MicrophoneOffIcon />}
      </Toggle>
      {/* Kept in its place while the camera is off: nothing else may come under the thumb. */}
      {media.cameras.length > 1 && (
        <button
          type="button"
          className="call-control"
          aria-disabled={!isCamera || undefined}
          onClick={() => isCamera && call.flip()}
        >
          <FlipIcon />
          Flip camera
        </button>
      )}
    </>
  );
}

type ToggleProps = { label: string; isOn: boolean; isAsking: boolean; press: () => void; children: ReactNode };

function Toggle({ label, isOn, isAsking, press, children }: ToggleProps) {
  return (
    <button type="button" className="call-control" aria-pressed={isOn} onClick={press}>
      {children}
      <span>
        {label} <span aria-hidden="true">{isAsking ? "…" : isOn ? "on" : "off"}</span>
      </span>
    </button>
  );
}
