import type { ReactNode } from "react";
import { VideoIcon } from "../../ui/icons.tsx";
import type { CallClient } from "./call.client.ts";
import type { CallState } from "./call-state.ts";
import { CameraOffIcon, FlipIcon, MicrophoneIcon, MicrophoneOffIcon } from "./icons.tsx";

/** Buttons for camera, microphone and flipping the camera, in the waiting room and in the room. */
export function DeviceControls({ call, media }: { call: CallClient; media: CallState["media"] }) {
  const isCameraOn = media.camera === "on";
  const isMicrophoneOn = media.microphone === "on";
  return (
    <>
      <DeviceToggle
        label="Camera"
        isOn={isCameraOn}
        isStarting={media.camera === "requesting"}
        onPress={() => call.toggle("camera")}
      >
        {isCameraOn ? <VideoIcon /> : <CameraOffIcon />}
      </DeviceToggle>
      <DeviceToggle
        label="Microphone"
        isOn={isMicrophoneOn}
        isStarting={media.microphone === "requesting"}
        onPress={() => call.toggle("microphone")}
      >
        {isMicrophoneOn ? <MicrophoneIcon /> : <MicrophoneOffIcon />}
      </DeviceToggle>
      {/* Disabled rather than removed while the camera is off, so that no other button moves under the thumb. */}
      {media.cameras.length > 1 && (
        <button
          type="button"
          className="call-control"
          aria-disabled={!isCameraOn || undefined}
          onClick={() => isCameraOn && call.flipCamera()}
        >
          <FlipIcon />
          Flip camera
        </button>
      )}
    </>
  );
}

type DeviceToggleProps = {
  label: string;
  isOn: boolean;
  isStarting: boolean;
  onPress: () => void;
  children: ReactNode;
};

function DeviceToggle({ label, isOn, isStarting, onPress, children }: DeviceToggleProps) {
  return (
    <button type="button" className="call-control" aria-pressed={isOn} onClick={onPress}>
      {children}
      <span>
        {label} <span aria-hidden="true">{isStarting ? "…" : isOn ? "on" : "off"}</span>
      </span>
    </button>
  );
}
