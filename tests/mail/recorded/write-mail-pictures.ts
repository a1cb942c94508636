import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright";
import { escapeHtml } from "../../../app/http/escape-html.ts";
import { FOLDER, messagesByPicture, pictureName, SCHEMES, renderTextVersions } from "./text-versions.ts";

const WIDTH = 375;
const COLUMNS = 4;
const GAP = 24;
const QUALITY = 0.8;
const SHEET_STYLE = `
  body { margin: 0; padding: ${GAP}px; background: #7d8583; font: 14px/1.4 system-ui, sans-serif; display: grid;
    grid-template-columns: repeat(${COLUMNS}, ${WIDTH}px); gap: ${GAP}px; align-items: start }
  figure { margin: 0 }
  figcaption { padding: 8px 12px; background: #fff; color: #222 }
  img { display: block }`;

type Message = ReturnType<typeof messagesByPicture>[number][number];

const isRoot = process.getuid?.() === 0;
const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM,
  args: isRoot ? ["--no-sandbox"] : [],
});
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const scheme of SCHEMES)
  for (const [index, messages] of messagesByPicture().entries()) {
    const picture = await picturesOnOneSheet(browser, await takePictures(browser, messages, scheme));
    writeFileSync(path.join(FOLDER, pictureName(scheme, index)), picture);
  }
writeFileSync(path.join(FOLDER, "README.md"), renderTextVersions());
await browser.close();
console.log(`Every message as pictures and text: ${path.resolve(FOLDER)}`);

/** Each message at the width of a small phone, as the `src` of an image, below its subject and preview. */
async function takePictures(of: Browser, messages: Message[], colorScheme: (typeof SCHEMES)[number]) {
  const page = await of.newPage({ viewport: { width: WIDTH, height: 200 }, colorScheme });
  const figures: string[] = [];
  for (const { subject, preview, html } of messages) {
    await page.setContent(html);
    const png = (await page.screenshot({ fullPage: true })).toString("base64");
    const caption = `<b>${escapeHtml(subject)}</b><br>${escapeHtml(preview)}`;
    figures.push(`<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${png}"></figure>`);
  }
  await page.close();
  return figures;
}

/** A contact sheet as WebP, which is a third of a PNG. */
async function picturesOnOneSheet(of: Browser, figures: string[]): Promise<Buffer> {
  const page = await of.newPage({ viewport: { width: COLUMNS * (WIDTH + GAP) + GAP, height: 200 } });
  await page.setContent(`<style>${SHEET_STYLE}</style>${figures.join("")}`);
  const png = (await page.screenshot({ fullPage: true })).toString("base64");
  const webp = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      canvas.getContext("2d")!.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    [png, QUALITY] as const,
  );
  await page.close();
  return Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64");
}
