import { useEffect, useId, useRef } from "react";
import { watchVolume } from "./volume-meter.client.ts";

/** Shows the microphone's level, so that a person can test it before joining. */
export function MicrophoneMeter({ track }: { track: MediaStreamTrack | null }) {
  const id = useId();
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    if (!track) return;
    return watchVolume(track, (volume) => {
      if (meter.current) meter.current.value = volume;
    });
  }, [track]);
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Microphone level
      </label>
      {track ? (
        <>
          <meter id={id} ref={meter} className="level" min={0} max={1} value={0} />
          <p className="hint">Say something: the bar should move.</p>
        </>
      ) : (
        <>
          <meter id={id} className="level" min={0} max={1} value={0} />
          <p className="hint">The microphone is off.</p>
        </>
      )}
    </div>
  );
}
