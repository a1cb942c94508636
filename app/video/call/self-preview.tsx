import type { MediaState } from "./local-media.client.ts";
import { VideoPane } from "./video-pane.tsx";

type SelfPreviewProps = { stream: MediaStream | null; media: MediaState };

/** Shows the person's own video before a call, which nobody else sees. */
export function SelfPreview({ stream, media }: SelfPreviewProps) {
  return (
    <VideoPane
      label="You"
      stream={stream}
      isOwn
      isMirrored={media.isMirrored}
      overlay={stream ? undefined : media.camera === "requesting" ? "Starting the camera…" : "Camera Off"}
    />
  );
}
