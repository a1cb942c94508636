import { VideoIcon } from "../../ui/icons.tsx";
import type { CallClient } from "./call.client.ts";
import type { CallState } from "./call-state.ts";
import { CameraOffIcon, FlipIcon, MicrophoneIcon, MicrophoneOffIcon } from "./call-icons.tsx";

/**
 * Shows the buttons for camera, microphone and flipping the camera, in the waiting room and in the room. Each button's
 * text says what it does.
 */
export function CameraMicrophoneButtons({ call, media }: { call: CallClient; media: CallState["media"] }) {
  const isCameraOn = media.camera === "on";
  const isMicrophoneOn = media.microphone === "on";
  return (
    <>
      <button
        type="button"
        className="call-control"
        data-muted={!isCameraOn || undefined}
        onClick={() => void call.media.setCamera(!isCameraOn)}
      >
        {isCameraOn ? <VideoIcon /> : <CameraOffIcon />}
        <span>{media.camera === "requesting" ? "Starting camera…" : `Turn camera ${isCameraOn ? "off" : "on"}`}</span>
      </button>
      <button
        type="button"
        className="call-control"
        data-muted={!isMicrophoneOn || undefined}
        onClick={() => void call.media.setMicrophone(!isMicrophoneOn)}
      >
        {isMicrophoneOn ? <MicrophoneIcon /> : <MicrophoneOffIcon />}
        <span>{media.microphone === "requesting" ? "Starting…" : isMicrophoneOn ? "Mute" : "Unmute"}</span>
      </button>
      <FlipCameraButton call={call} media={media} />
    </>
  );
}

/**
 * Shows the flip button. When flipping is impossible, the button is disabled and gives the reason. It is not removed,
 * so that the other buttons stay in place.
 */
function FlipCameraButton({ call, media }: { call: CallClient; media: CallState["media"] }) {
  const reason = flipDisabledReason(media);
  return (
    <button
      type="button"
      className="call-control"
      aria-disabled={reason !== null || undefined}
      onClick={() => void (reason === null && call.media.flip())}
    >
      <FlipIcon />
      <span>Flip camera{reason && <small> {reason}</small>}</span>
    </button>
  );
}

function flipDisabledReason({ camera, cameras }: CallState["media"]): string | null {
  if (camera !== "on") return "(camera is off)";
  return cameras.length < 2 ? "(only one camera)" : null;
}
