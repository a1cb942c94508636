import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: "es2022", assetsInlineLimit: 0 },
  // In dev the adapter would otherwise load a second copy of the router, with contexts of its own.
  ssr: { noExternal: ["@react-router/express"] },
});
