import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";

type VideoPaneProps = {
  /** Whose video it is: the role and the name, or *You* for the person's own video. */
  label: string;
  stream: MediaStream | null;
  isOwn: boolean;
  videoRef?: RefObject<HTMLVideoElement | null>;
  isMirrored?: boolean;
  /** Content that covers the video, for example while there is none. */
  overlay?: ReactNode;
  /** Whether the overlay is translucent and shows the last frame. */
  isDimmed?: boolean;
  /** The latest chat message of this side, shown over its video. */
  caption?: string;
};

/** Shows the video of one person, with its label. */
export function VideoPane({
  label,
  stream,
  isOwn,
  videoRef,
  isMirrored = false,
  overlay,
  isDimmed = false,
  caption,
}: VideoPaneProps) {
  const video = useRef<HTMLVideoElement>(null);
  useImperativeHandle(videoRef, () => video.current as HTMLVideoElement, []);
  const [isAudioBlocked, setAudioBlocked] = useState(false);
  const play = () =>
    video.current?.play().then(
      () => setAudioBlocked(false),
      (error: unknown) => setAudioBlocked(error instanceof DOMException && error.name === "NotAllowedError"),
    );
  useEffect(() => {
    if (!video.current) return;
    video.current.srcObject = stream;
    if (stream) void play();
  }, [stream]);
  return (
    <figure className="pane" data-own={isOwn || undefined}>
      {/* Live video has no caption track; captions are typed in the chat. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={video}
        className="pane-picture"
        data-mirrored={isMirrored || undefined}
        muted={isOwn}
        autoPlay
        playsInline
        aria-label={`Picture: ${label}`}
      />
      {overlay && (
        <div className="pane-overlay" data-dimmed={isDimmed || undefined}>
          {overlay}
        </div>
      )}
      <figcaption className="pane-label">{label}</figcaption>
      {caption && (
        <p className="pane-caption" aria-hidden="true">
          {caption}
        </p>
      )}
      {isAudioBlocked && (
        <Button type="button" variant="primary" className="pane-sound" onClick={() => void play()}>
          Turn on the sound
        </Button>
      )}
    </figure>
  );
}
