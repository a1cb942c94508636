// The framework's minimal template, written and built here: one page with its styles, fully hydrated.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const HERE = import.meta.dirname;
const FOLDER = path.join(HERE, "node_modules/.template");
const COMMAND = path.join(HERE, "../node_modules/@react-router/dev/bin.cjs");

const LINKS = [
  ["https://reactrouter.com/docs", "React Router documentation"],
  ["https://rmx.as/discord", "Join the community"],
];

const FILES: Record<string, string> = {
  "package.json": JSON.stringify({
    private: true,
    type: "module",
    sideEffects: false,
    dependencies: Object.fromEntries(
      ["@react-router/node", "@react-router/serve", "isbot", "react", "react-dom", "react-router"].map((name) => [
        name,
        "*",
      ]),
    ),
  }),
  "react-router.config.js": "export default { ssr: true };",
  "vite.config.js": `
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
export default defineConfig({ plugins: [tailwindcss(), reactRouter()] });`,
  "app/routes.js": `
import { index } from "@react-router/dev/routes";
export default [index("home.jsx")];`,
  "app/app.css": `
@import "tailwindcss";
html, body { background: white; @media (prefers-color-scheme: dark) { background: #0a0a0a; color-scheme: dark; } }`,
  "app/root.jsx": `
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import "./app.css";
export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>{children}<ScrollRestoration /><Scripts /></body>
    </html>
  );
}
export default function App() { return <Outlet />; }
export function ErrorBoundary({ error }) {
  const status = isRouteErrorResponse(error) ? String(error.status) : "Oops!";
  return <main className="container mx-auto p-4 pt-16"><h1>{status}</h1></main>;
}`,
  "app/home.jsx": `
const links = ${JSON.stringify(LINKS)};
export const meta = () => [{ title: "New React Router App" }, { name: "description", content: "Welcome to React Router!" }];
export function loader() { return { message: "Hello from the server" }; }
export default function Home({ loaderData }) {
  return (
    <main className="flex items-center justify-center pt-16 pb-4">
      <div className="flex min-h-0 flex-1 flex-col items-center gap-16">
        <header className="flex flex-col items-center gap-9"><h1 className="text-4xl font-bold">React Router</h1></header>
        <div className="w-full max-w-[300px] space-y-6 px-4">
          <nav className="space-y-4 rounded-3xl border border-gray-200 p-6 dark:border-gray-700">
            <p className="text-center leading-6 text-gray-700 dark:text-gray-200">What's next?</p>
            <ul>
              {links.map(([href, text]) => (
                <li key={href}>
                  <a className="group flex items-center gap-3 self-stretch p-3 leading-normal text-blue-700 hover:underline" href={href}>{text}</a>
                </li>
              ))}
              <li className="self-stretch p-3 leading-normal">{loaderData.message}</li>
            </ul>
          </nav>
        </div>
      </div>
    </main>
  );
}`,
};

/** Builds the template unless an up-to-date build exists; returns its folder. */
export async function buildTemplate(): Promise<string> {
  const stampFile = path.join(FOLDER, ".sources");
  const sources = JSON.stringify(FILES);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === sources) return FOLDER;
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(FOLDER, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log("Building the framework's template …");
  await runBuild([COMMAND, "build"]);
  writeFileSync(stampFile, sources);
  return FOLDER;
}

async function runBuild(args: string[]) {
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`The template was not built:\n${output}`);
}
