import type { Express, RequestHandler, Response } from "express";
import { env } from "../env.server.ts";
import { setLogRouteMiddleware } from "../http/log.server.ts";
import { findCurrentPortrait, PORTRAIT_PATH_PREFIX } from "./consultant-profile.server.ts";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;

/** The pages that search engines should index, most important first. */
const INDEXED_PATHS = [
  "/",
  "/request-consultation",
  "/register",
  "/login",
  "/forgot-password",
  "/legal-request",
  "/comfort",
  "/accessibility",
  "/privacy-policy",
  "/terms-of-service",
  "/hipaa-compliance",
];
const PRIVATE_PATHS = ["/api/", "/dashboard", "/appointments", "/documents", "/video-call/"];

/**
 * Mounts the files with which programs find and display the site. They contain the site's address, so they can't be
 * built in advance. `queue` runs before each.
 */
export function mountSiteMetadataFiles(app: Express, queue: RequestHandler): void {
  app.get("/robots.txt", setLogRouteMiddleware("/robots.txt"), queue, (_request, response) =>
    sendCacheable(response, "text/plain", buildRobotsTxt()),
  );
  app.get("/sitemap.xml", setLogRouteMiddleware("/sitemap.xml"), queue, (_request, response) =>
    sendCacheable(response, "application/xml", buildSitemap()),
  );
  app.get("/site.webmanifest", setLogRouteMiddleware("/site.webmanifest"), queue, (_request, response) =>
    sendCacheable(response, "application/manifest+json", JSON.stringify(buildWebManifest())),
  );
  // Password managers open this address (https://w3c.github.io/webappsec-change-password-url/).
  app.get(
    "/.well-known/change-password",
    setLogRouteMiddleware("/.well-known/change-password"),
    queue,
    (_request, response) => response.redirect(302, "/dashboard/settings"),
  );
  app.get(
    `${PORTRAIT_PATH_PREFIX}:name`,
    setLogRouteMiddleware("/portrait/*"),
    queue,
    async (request, response, next) => {
      const portrait = await findCurrentPortrait(String(request.params.name));
      if (!portrait) return next();
      response.set("Cache-Control", `public, max-age=${YEAR_SECONDS}, immutable`);
      response.type(portrait.type).send(portrait.bytes);
    },
  );
}

function sendCacheable(response: Response, type: string, text: string): void {
  response.set("Cache-Control", `public, max-age=${DAY_SECONDS}`);
  response.type(type).send(text);
}

function buildRobotsTxt(): string {
  const rules = PRIVATE_PATHS.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${env.origin}/sitemap.xml`, ""].join("\n");
}

function buildSitemap(): string {
  const entries = INDEXED_PATHS.map((path) => `  <url><loc>${env.origin}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}

function buildWebManifest() {
  return {
    name: env.practice.name,
    short_name: env.practice.name.split(" ")[0],
    description: "Advocacy and consulting for families raising children with special needs.",
    lang: "en",
    start_url: "/",
    scope: "/",
    display: "browser",
    background_color: "#f8f3e9",
    theme_color: "#0f3d37",
    icons: [
      { src: "/static/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/static/touch-icon.png", sizes: "180x180", type: "image/png" },
      { src: "/static/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any maskable" },
    ],
  };
}
