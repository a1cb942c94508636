import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { DeviceProblem } from "./device-problem.tsx";
import { LocalMedia, type MediaState } from "./local-media.client.ts";
import { MicrophoneMeter } from "./microphone-meter.tsx";
import { SelfPreview } from "./self-preview.tsx";

/**
 * Tests camera and microphone before the room opens, with a preview that nobody else sees and a sentence about what
 * works.
 */
export function DeviceCheck() {
  const media = useRef<LocalMedia>(null);
  const [state, setState] = useState<MediaState | null>(null);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [audio, setAudio] = useState<MediaStreamTrack | null>(null);
  const [isHeard, setHeard] = useState(false);
  useEffect(() => () => media.current?.close(), []);

  function start() {
    const localMedia = new LocalMedia(() => {
      setState(localMedia.state);
      setAudio(localMedia.state.microphone === "on" ? localMedia.audio : null);
      setStream((currentStream) =>
        currentStream?.getVideoTracks()[0] === localMedia.video ? currentStream : toStream(localMedia.video),
      );
    });
    media.current = localMedia;
    setHeard(false);
    setState(localMedia.state);
    void localMedia.open();
  }
  function stop() {
    media.current?.close();
    media.current = null;
    setState(null);
    setStream(null);
    setAudio(null);
  }
  return (
    <section className="card scripted" aria-labelledby="device-check">
      <h2 id="device-check" className="text-xl">
        Check your camera and sound
      </h2>
      {state ? (
        <>
          <SelfPreview stream={stream} media={state} />
          <MicrophoneMeter track={audio} onHeard={() => setHeard(true)} />
          <p role="status" className="notice">
            {describeDeviceCheckResult(state, isHeard)}
          </p>
          <DeviceProblem media={state} canReload />
          <Button type="button" className="justify-self-start" onClick={stop}>
            Stop the check
          </Button>
        </>
      ) : (
        <>
          <p>See today whether both work. Nobody else sees or hears you.</p>
          <Button type="button" className="justify-self-start" onClick={start}>
            Start the check
          </Button>
        </>
      )}
    </section>
  );
}

function toStream(track: MediaStreamTrack | null): MediaStream | null {
  return track && new MediaStream([track]);
}

function describeDeviceCheckResult({ camera, microphone }: MediaState, isHeard: boolean): string {
  if (camera === "requesting" || microphone === "requesting")
    return "Your browser asks for your camera and microphone. Please allow both.";
  if (microphone === "on" && !isHeard)
    return `Your camera ${camera === "on" ? "works" : "doesn't work yet"}. Now say something to check your microphone.`;
  if (camera === "on")
    return microphone === "on"
      ? "Your camera and microphone work. You're ready for your visit."
      : "Your camera works. Your microphone doesn't work yet.";
  return microphone === "on"
    ? "Your microphone works. Your camera doesn't work yet."
    : "Your camera and microphone don't work yet.";
}
