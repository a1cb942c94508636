const SAMPLE_INTERVAL_MS = 100;

/** Tells how loud a track is, from 0 to 1, ten times a second; returns what ends it. The track itself is left alone. */
export function watchVolume(track: MediaStreamTrack, onVolume: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const resumeContext = () => void context.resume().catch(() => undefined);
  // Some browsers let sound work only after a person touched the page.
  window.addEventListener("pointerdown", resumeContext);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // A voice at arm's length reaches about the middle.
    onVolume(Math.min(1, Math.sqrt(power) * 4));
  }, SAMPLE_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    window.removeEventListener("pointerdown", resumeContext);
    void context.close().catch(() => undefined);
  };
}
