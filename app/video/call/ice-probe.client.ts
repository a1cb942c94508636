const PROBE_TIMEOUT_MS = 6000;
/** Error code of a TURN server for unknown credentials. It shows that the server is reachable. */
const TURN_UNAUTHORIZED_CODE = 401;

/** Whether the network allows direct connections and connections through the relay. */
export type IceProbe = { direct: boolean; relay: boolean };

/**
 * Gathers ICE candidates for at most 6 s, without sending any media. There are no TURN credentials before both sides
 * are present, so the relay counts as reachable when it rejects invalid ones.
 */
export async function probeIce(servers: RTCIceServer[], relayUrls: string[]): Promise<IceProbe> {
  const probe: IceProbe = { direct: false, relay: false };
  let allAnswered = true;
  const hasRelay = relayUrls.length > 0;
  const relayServers = hasRelay ? [{ urls: relayUrls, username: "test", credential: "test" }] : [];
  const pc = new RTCPeerConnection({ iceServers: [...servers, ...relayServers], iceCandidatePoolSize: 0 });
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, PROBE_TIMEOUT_MS);
      pc.addEventListener("icecandidateerror", ({ errorCode }) => {
        if (errorCode === TURN_UNAUTHORIZED_CODE) probe.relay = true;
        else allAnswered = false;
        if (probe.direct && probe.relay) resolve();
      });
      let hasHostCandidate = false;
      pc.addEventListener("icecandidate", ({ candidate }) => {
        hasHostCandidate ||= candidate?.type === "host" && candidate.protocol === "udp";
        if (!candidate) {
          // All servers responded without a reflexive candidate, so the host address is the public one.
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
