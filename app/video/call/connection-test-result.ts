/** The word joiner after the hyphen prevents a line break within Wi-Fi. */
export const TRY_OTHER_NETWORK_ADVICE =
  "Try another network, such as your phone's own data in place of the Wi-\u2060Fi, or switch off a VPN.";

export type ConnectionTestResult = { isReady: boolean; text: string; advice?: string };

/** Turns the outcome of a connection test into text and advice. */
export function describeConnectionTest(probe: {
  server: boolean;
  direct: boolean;
  relay: boolean;
}): ConnectionTestResult {
  if (!probe.server) {
    return {
      isReady: false,
      text: "This browser can't reach our call service.",
      advice: "Check that you are online. On a work or school network, try another one, such as your phone's own data.",
    };
  }
  if (!probe.direct && !probe.relay) {
    return {
      isReady: false,
      text: "Your network seems to block video calls.",
      advice: TRY_OTHER_NETWORK_ADVICE,
    };
  }
  return { isReady: true, text: "Your connection is ready for a video call." };
}
