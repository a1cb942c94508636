const LONGEST_MS = 6000;
/** What a relay answers to a password that it does not know: it was reached. */
const UNAUTHORIZED = 401;

/** Which ways through the network were found. Only names of ways are asked for: nothing of camera or microphone is sent. */
export type Ways = { direct: boolean; relay: boolean };

/**
 * Asks the STUN servers for a way through, for 6 s at most. The relay has no password for us yet, so it counts as a way
 * when it turns us away.
 */
export async function findWays(servers: RTCIceServer[], relayUrls: string[]): Promise<Ways> {
  const ways: Ways = { direct: false, relay: false };
  let isAnswered = true;
  const hasRelay = relayUrls.length > 0;
  const relay = hasRelay ? [{ urls: relayUrls, username: "test", credential: "test" }] : [];
  const pc = new RTCPeerConnection({ iceServers: [...servers, ...relay], iceCandidatePoolSize: 0 });
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, LONGEST_MS);
      pc.addEventListener("icecandidateerror", ({ errorCode }) => {
        if (errorCode === UNAUTHORIZED) ways.relay = true;
        else isAnswered = false;
        if (ways.direct && ways.relay) resolve();
      });
      let hasAddress = false;
      pc.addEventListener("icecandidate", ({ candidate }) => {
        hasAddress ||= candidate?.type === "host" && candidate.protocol === "udp";
        if (!candidate) {
          // All were asked and none failed: this address is the one that others see, so it is not named again.
          ways.direct ||= hasAddress && isAnswered;
          return resolve();
        }
        if (candidate.type === "srflx" || candidate.type === "prflx") ways.direct = true;
        if (ways.direct && (ways.relay || !hasRelay)) resolve();
      });
      pc.createDataChannel("check");
      pc.setLocalDescription().catch(reject);
    });
  } finally {
    pc.close();
  }
  return ways;
}
