/** Maximum time that `stop` waits for a run in progress. */
const STOP_TIMEOUT_MS = 3_000;

export type PeriodicJob = {
  /** The name of the job in its error messages. */
  name: string;
  /** Time from the end of one run to the start of the next, in milliseconds; null: the job runs once. */
  intervalMs: number | null;
  /** Delay before the first run, in milliseconds; by default the job runs immediately. */
  delayMs?: number;
  /** The signal is aborted when the job is stopped. A returned delay replaces the interval before the next run. */
  run: (signal: AbortSignal) => Promise<number | void> | number | void;
  /** Finishes remaining work when the job is stopped. */
  onStop?: () => Promise<unknown> | void;
};

/**
 * Runs a job at its interval, one run at a time. If a run throws, the error is passed to `onError` and the next run
 * follows. The timer does not keep the process running. `stop` starts no further run and waits up to 3 s for the one in
 * progress.
 */
export function startPeriodicJob(
  job: PeriodicJob,
  onError: (error: unknown, name: string) => void,
): { stop: () => Promise<void> } {
  const { name, intervalMs, delayMs = 0, run, onStop } = job;
  const stopController = new AbortController();
  const { signal } = stopController;
  let timer: NodeJS.Timeout | undefined;
  let currentRun = Promise.resolve();

  const schedule = (milliseconds: number) => {
    timer = setTimeout(() => (currentRun = runOnce()), milliseconds).unref();
  };
  const runOnce = async () => {
    let nextDelayMs = intervalMs;
    try {
      nextDelayMs = (await run(signal)) ?? intervalMs;
    } catch (error) {
      onError(error, name);
    }
    if (nextDelayMs !== null && !signal.aborted) schedule(nextDelayMs);
  };
  const finish = async () => {
    await onStop?.();
    await currentRun;
  };
  if (delayMs > 0) schedule(delayMs);
  else currentRun = runOnce();

  return {
    stop: async () => {
      stopController.abort();
      clearTimeout(timer);
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      await Promise.race([finish().catch((error: unknown) => onError(error, name)), timeout]);
    },
  };
}
