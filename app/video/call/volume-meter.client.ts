const SAMPLE_INTERVAL_MS = 100;
/** Number of samples per report: 170 ms at 48 kHz, so that no short sound is missed between two reports. */
const WINDOW_LENGTH = 8192;

/** Reports the volume of a track, 0 to 1, every 100 ms. Returns a function that stops the reports, not the track. */
export function watchVolume(track: MediaStreamTrack, onVolume: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = WINDOW_LENGTH;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const resumeContext = () => void context.resume().catch(() => undefined);
  // Some browsers allow audio processing only after a user gesture.
  window.addEventListener("pointerdown", resumeContext);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // A voice at arm's length reaches about 0.5.
    onVolume(Math.min(1, Math.sqrt(power) * 4));
  }, SAMPLE_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    window.removeEventListener("pointerdown", resumeContext);
    void context.close().catch(() => undefined);
  };
}
