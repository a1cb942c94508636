const LONGEST_MS = 6000;

/** Which ways through the network were found. Only names of ways are asked for: nothing of camera or microphone is sent. */
export type Ways = { direct: boolean; relay: boolean };

/** Asks the STUN servers and the relay for a way through, for 6 s at most. */
export async function findWays(servers: RTCIceServer[]): Promise<Ways> {
  const ways: Ways = { direct: false, relay: false };
  let isAnswered = true;
  const pc = new RTCPeerConnection({ iceServers: servers, iceCandidatePoolSize: 0 });
  const hasRelay = servers.some(({ urls }) => [urls].flat().some((url) => url.startsWith("turn")));
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, LONGEST_MS);
      pc.addEventListener("icecandidateerror", () => (isAnswered = false));
      let hasAddress = false;
      pc.addEventListener("icecandidate", ({ candidate }) => {
        hasAddress ||= candidate?.type === "host" && candidate.protocol === "udp";
        if (!candidate) {
          // All were asked and none failed: this address is the one that others see, so it is not named again.
          ways.direct ||= hasAddress && isAnswered;
          return resolve();
        }
        if (candidate.type === "srflx" || candidate.type === "prflx") ways.direct = true;
        if (candidate.type === "relay") ways.relay = true;
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
