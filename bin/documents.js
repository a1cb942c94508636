// Commands for document files and encrypted texts. All can be interrupted and repeated, and can run while the
// application is running:
//   npm run documents -- rotate   encrypts every file and text with the newest of FILE_KEYS, including unencrypted ones
//   npm run documents -- check    reads every file and compares it with its hash
//   npm run documents -- scan     scans every file for viruses (CLAMAV_URL); an infected one is not handed out any more
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const [command = ""] = process.argv.slice(2);

if (!["rotate", "check", "scan"].includes(command)) exitWithMessage("Use: npm run documents -- rotate, check or scan");
await prepareAndRunOnPinnedNode(["bin/documents.js", command]);

const { migrate } = await import("./migrate.js");
const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => exitWithMessage(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
await migrate(commands.env.databaseUrl);
const runCommand = { rotate: rotateFileKeys, check: verifyDocumentHashes, scan: scanAllDocuments }[
  /** @type {"rotate" | "check" | "scan"} */ (command)
];
const { text, failed } = await runCommand().catch((error) => exitWithMessage(error.message));
await commands.closeDatabase();
console.log(text);
process.exit(failed.length > 0 ? 1 : 0);

async function rotateFileKeys() {
  const { rotated, failedIds, texts } = await commands.reencryptWithNewestKey();
  const problem =
    failedIds.length > 0 ? ` These could not be opened and are as they were: ${failedIds.join(", ")}.` : "";
  const columns = texts.unreadableColumns.join(", ");
  const unreadableText = columns ? ` Some texts could not be opened and are as they were, in ${columns}.` : "";
  const summary = `${rotated} documents brought under the newest key.${problem}`;
  return {
    text: `${summary} ${texts.changed} records brought under it.${unreadableText}`,
    failed: [...failedIds, ...texts.unreadableColumns],
  };
}

async function verifyDocumentHashes() {
  const { intact, damaged } = await commands.verifyAllDocumentHashes();
  const problem = damaged.length > 0 ? ` Missing or damaged: ${damaged.join(", ")}.` : "";
  return { text: `${intact} documents are whole.${problem}`, failed: damaged };
}

async function scanAllDocuments() {
  const scanned = await commands.scanStoredDocuments();
  const { clean, infected, unchecked, tooLarge, unreadable, portraitSignature } = scanned;
  const formatSignatures = (/** @type {{ id: number, signature: string }[]} */ found) =>
    found.map(({ id, signature }) => `${id} (${signature})`).join(", ");
  const sentences = [
    `${clean} documents are clean.`,
    infected.length > 0 ? `May contain a virus: ${formatSignatures(infected)}.` : "",
    unchecked.length > 0 ? `Could not be looked into: ${formatSignatures(unchecked)}.` : "",
    tooLarge.length > 0
      ? `Not scanned, because they are larger than clamd takes: ${tooLarge.join(", ")}. Raise StreamMaxLength in clamd.conf to 60M, restart clamd, and scan again.`
      : "",
    portraitSignature
      ? `The consultant’s portrait may contain a virus (${portraitSignature}): choose another one.`
      : "",
    unreadable.length > 0 ? `Missing or damaged: ${unreadable.join(", ")}.` : "",
  ];
  const portraits = portraitSignature ? ["portrait"] : [];
  return {
    text: sentences.filter(Boolean).join(" "),
    failed: [...infected, ...tooLarge, ...unreadable, ...portraits],
  };
}

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
