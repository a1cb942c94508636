const PROBE_TIMEOUT_MS = 6000;
/** What a relay answers to a password that it does not know: it was reached. */
const UNAUTHORIZED = 401;

/** Which ways through the network were found. Only names of ways are asked for: nothing of camera or microphone is sent. */
export type IceProbe = { direct: boolean; relay: boolean };

/**
 * Asks the STUN servers for a way through, for 6 s at most. The relay has no password for us yet, so it counts as a way
 * when it turns us away.
 */
export async function probeIce(servers: RTCIceServer[], relayUrls: string[]): Promise<IceProbe> {
  const probe: IceProbe = { direct: false, relay: false };
  let allAnswered = true;
  const hasRelay = relayUrls.length > 0;
  const relay = hasRelay ? [{ urls: relayUrls, username: "test", credential: "test" }] : [];
  const pc = new RTCPeerConnection({ iceServers: [...servers, ...relay], iceCandidatePoolSize: 0 });
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, PROBE_TIMEOUT_MS);
      pc.addEventListener("icecandidateerror", ({ errorCode }) => {
        if (errorCode === UNAUTHORIZED) probe.relay = true;
        else allAnswered = false;
        if (probe.direct && probe.relay) resolve();
      });
      let hasHostCandidate = false;
      pc.addEventListener("icecandidate", ({ candidate }) => {
        hasHostCandidate ||= candidate?.type === "host" && candidate.protocol === "udp";
        if (!candidate) {
          // All were asked and none failed: this address is the one that others see, so it is not named again.
          probe.direct ||= hasHostCandidate && allAnswered;
          return resolve();
        }
        if (candidate.type === "srflx" || candidate.type === "prflx") probe.direct = true;
        if (probe.direct && (probe.relay || !hasRelay)) resolve();
      });
      pc.createDataChannel("check");
      pc.setLocalDescription().catch(reject);
    });
  } finally {
    pc.close();
  }
  return probe;
}
