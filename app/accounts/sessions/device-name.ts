const MAX_USER_AGENT_LENGTH = 512;

/** The first match is used: Edge, Opera and Samsung Internet also name Chrome, and Chrome also names Safari. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

/** iPhones and Android also name Mac OS and Linux. */
const OPERATING_SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "a Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "a Mac"],
  [/\bLinux\b/, "Linux"],
];

export const UNKNOWN_DEVICE = "Unknown device";

/**
 * Returns a device in words, such as "Chrome on Android". The result consists of fixed names only, so no part of the
 * header itself is stored.
 */
export function describeUserAgent(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  const findName = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [findName(BROWSERS), findName(OPERATING_SYSTEMS)];
  if (!browser && !system) return UNKNOWN_DEVICE;
  return system ? `${browser ?? "A browser"} on ${system}` : (browser ?? UNKNOWN_DEVICE);
}
