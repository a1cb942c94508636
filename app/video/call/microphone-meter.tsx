import { useEffect, useEffectEvent, useId, useRef } from "react";
import { watchVolume } from "./volume-meter.client.ts";

/** Volume above which the microphone counts as working: lower than a voice, higher than the noise of a quiet room. */
const MIN_HEARD_VOLUME = 0.1;

type MicrophoneMeterProps = { track: MediaStreamTrack | null; onHeard?: () => void };

/**
 * Shows the microphone's level, so that a person can test it before joining. `onHeard` is called when it picks up
 * sound.
 */
export function MicrophoneMeter({ track, onHeard }: MicrophoneMeterProps) {
  const id = useId();
  const meter = useRef<HTMLMeterElement>(null);
  const reportHeard = useEffectEvent(() => onHeard?.());
  useEffect(() => {
    if (!track) return;
    return watchVolume(track, (volume) => {
      if (meter.current) meter.current.value = volume;
      if (volume > MIN_HEARD_VOLUME) reportHeard();
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
