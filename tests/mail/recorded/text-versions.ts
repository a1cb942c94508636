import { createHash } from "node:crypto";
import { everyMessage } from "./every-message.ts";
import { renderMessage } from "./render-message.ts";

export const FOLDER = "docs/mail";
export const SCHEMES = ["light", "dark"] as const;
const ON_ONE_PICTURE = 12;

/** The messages in portions of a dozen: what stands together on one picture. */
export function messagesByPicture() {
  const messages = everyMessage().map((message) => ({ title: message.title, ...renderMessage(message) }));
  return Array.from({ length: Math.ceil(messages.length / ON_ONE_PICTURE) }, (_, index) =>
    messages.slice(index * ON_ONE_PICTURE, (index + 1) * ON_ONE_PICTURE),
  );
}

export const pictureName = (scheme: (typeof SCHEMES)[number], index: number) => `${scheme}-${index + 1}.webp`;

/** docs/mail/README.md: every message as text, with the pictures of its HTML and the hash that shows their age. */
export function renderTextVersions(): string {
  const pictures = messagesByPicture();
  const html = createHash("sha256").update(JSON.stringify(pictures)).digest("hex");
  return `# Every message, as it is mailed

In the default words, to made-up people; the consultant can write her own at \`/mail-wording\`. \`npm run mail-pictures\`
writes this page and its pictures (375 px wide, in both color schemes); a test fails when a message is another one than
here. What is mailed when: [the product](../product.md#mail).

${pictures.map((messages, index) => writePart(messages, index)).join("\n")}
<!-- The pictures show the HTML with the SHA-256 ${html}. -->
`;
}

function writePart(messages: ReturnType<typeof messagesByPicture>[number], index: number): string {
  const titles = messages.map(({ title }) => title).join("; ");
  const pictures = SCHEMES.map((scheme) => `![As HTML, ${scheme}: ${titles}](${pictureName(scheme, index)})`);
  const textVersions = messages.map(
    ({ title, subject, preview, text }) =>
      `### ${title}\n\n- Subject: ${subject}\n- Preview: ${preview}\n\n\`\`\`text\n${text}\`\`\`\n`,
  );
  return `## Messages, part ${index + 1}\n\n${pictures.join("\n\n")}\n\n${textVersions.join("\n")}`;
}
