import { preload } from "react-dom";
import text from "./fonts/text.woff2?url";

/** Preloads the text font in parallel with the stylesheet, which avoids a layout shift. */
export function preloadFont(): void {
  preload(text, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
