// Collects the licenses of third-party code in the server and in the browser's scripts. The build writes them to a file
// that the site serves.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const LICENSE_FILE_PATTERN = /^(licen[cs]e|copying|notice)/i;
/** Development tools whose code is shipped: part of Tailwind's code is in every stylesheet. */
const BUNDLED_TOOLS = ["node_modules/tailwindcss"];
const FONT_LICENSES_FILE = "app/ui/fonts/LICENSES.md";

/** @typedef {{ name?: string, version?: string, license?: string, dev?: boolean, devOptional?: boolean }} LockEntry */

/**
 * Returns the fonts' licenses and all packages of a production installation, grouped by their license texts. Packages
 * for other platforms, which are not installed, are left out. A package without a license text is listed with the name
 * of its license.
 */
export function thirdPartyNotices() {
  /** @type {Record<string, LockEntry>} */
  const packages = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")).packages;
  /** @type {Map<string, Set<string>>} */
  const namesByText = new Map();
  for (const [folder, entry] of Object.entries(packages)) {
    const isShipped = BUNDLED_TOOLS.includes(folder) || (folder !== "" && !entry.dev && !entry.devOptional);
    if (!isShipped || !existsSync(path.join(ROOT, folder))) continue;
    const name = `${entry.name ?? folder.replace(/^.*node_modules\//, "")} ${entry.version}`;
    const text = licenseText(folder) || `License: ${entry.license ?? "see the package"}`;
    const names = namesByText.get(text) ?? new Set();
    namesByText.set(text, names.add(name));
  }
  const fonts = `Fonts\n\n${readFileSync(path.join(ROOT, FONT_LICENSES_FILE), "utf8").trim()}`;
  const parts = [...namesByText].map(([text, names]) => `${[...names].join("\n")}\n\n${text}`);
  return `${[fonts, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

function licenseText(/** @type {string} */ folder) {
  const files = readdirSync(path.join(ROOT, folder), { withFileTypes: true });
  return files
    .filter((file) => file.isFile() && LICENSE_FILE_PATTERN.test(file.name))
    .map(({ name }) =>
      readFileSync(path.join(ROOT, folder, name), "utf8")
        .replaceAll("\r", "")
        .trim(),
    )
    .join("\n\n");
}
