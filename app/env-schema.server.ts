import { z } from "zod";

/** Id of the file key that a process generates when FILE_KEYS is not set. */
export const GENERATED_FILE_KEY_ID = "file-key";

const MIN_TOKEN_CHARACTERS = 16;
const MAX_PORT = 65_535;

/** The address of clamd. */
export type ClamdAddress = { host: string; port: number } | { path: string };

/** A key that wraps the data keys of files. */
export type MasterKey = { id: string; key: Buffer };

const blankToUndefined = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const withBlankAsUnset = <T extends z.ZodType>(schema: T) => z.preprocess(blankToUndefined, schema);
const optionalTextSchema = withBlankAsUnset(z.string().trim().optional());

const originSchema = z
  .string()
  .trim()
  .transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, "").toLowerCase()) return url;
    context.addIssue({ code: "custom", message: "must be an origin such as https://www.example.com, without a path" });
    return z.NEVER;
  });

const timeZoneSchema = z.string().refine(isTimeZone, "must be a time zone name such as America/New_York");

/** Schema of comma-separated URLs of a scheme. With `orNone` it also accepts the word none. */
const commaSeparatedUrlsSchema = (scheme: string, { orNone = false } = {}) =>
  z
    .string()
    .refine(
      (value) =>
        (orNone && value === "none") || splitList(value).every((url) => new RegExp(`^${scheme}s?:[^\\s,]+$`).test(url)),
      `must be one or several ${scheme}: addresses, separated by commas${orNone ? ", or none" : ""}`,
    );

/** All environment variables with their schemas and defaults, as described in .env.example. */
export const environmentSchema = z.object({
  PORT: withBlankAsUnset(z.coerce.number("must be a port number").int().min(1).max(MAX_PORT).default(3000)),
  HOST: optionalTextSchema,
  APP_ORIGIN: withBlankAsUnset(originSchema.optional()),
  DATABASE_URL: withBlankAsUnset(
    z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/)/, "must begin with file: or postgresql://")
      .optional(),
  ),
  DATA_DIR: withBlankAsUnset(z.string().default("./data")),
  SESSION_SECRET: optionalTextSchema,
  ADMIN_EMAIL: withBlankAsUnset(
    z.string().trim().pipe(z.email("must be an email address")).default("consultant@example.com"),
  ),
  ADMIN_PASSWORD: withBlankAsUnset(
    z
      .string()
      .min(6, "must have at least 6 characters")
      .refine((value) => Buffer.byteLength(value) <= 72, "must have at most 72 bytes")
      .optional(),
  ),
  PRACTICE_NAME: withBlankAsUnset(z.string().trim().default("Harbor Family Advocacy")),
  PRACTICE_PHONE: withBlankAsUnset(z.string().trim().default("(732) 555-0142")),
  PRACTICE_EMAIL: withBlankAsUnset(z.email("must be an email address").optional()),
  PRACTICE_TIME_ZONE: withBlankAsUnset(timeZoneSchema.default("America/New_York")),
  PRACTICE_ADDRESS: withBlankAsUnset(z.string().trim().max(200, "must have at most 200 characters").optional()),
  PRACTICE_MEETING_PLACE: withBlankAsUnset(
    z
      .string()
      .trim()
      .max(200, "must have at most 200 characters")
      .regex(/^\P{Cc}*$/u, "must be one line")
      .optional(),
  ),
  PRACTICE_TAX_ID: withBlankAsUnset(
    z
      .string()
      .trim()
      .regex(/^[\w-]{4,20}$/, "must be a tax number such as 12-3456789")
      .optional(),
  ),
  CONSULTANT_NAME: withBlankAsUnset(z.string().trim().max(80, "must have at most 80 characters").optional()),
  CONSULTANT_BIO: withBlankAsUnset(z.string().trim().max(600, "must have at most 600 characters").optional()),
  CONSULTANT_LICENSE: withBlankAsUnset(z.string().trim().max(160, "must have at most 160 characters").optional()),
  CONSULTANT_PORTRAIT: withBlankAsUnset(
    z
      .string()
      .regex(/\.(jpe?g|png|webp)$/i, "must be the path of a .jpg, .png or .webp file")
      .optional(),
  ),
  PAYMENTS: withBlankAsUnset(z.enum(["square", "simulator", "off"], "must be square, simulator or off").optional()),
  SQUARE_ENVIRONMENT: withBlankAsUnset(z.enum(["production", "sandbox"], "must be production or sandbox").optional()),
  SQUARE_APPLICATION_ID: optionalTextSchema,
  SQUARE_LOCATION_ID: optionalTextSchema,
  SQUARE_ACCESS_TOKEN: optionalTextSchema,
  SQUARE_WEBHOOK_SIGNATURE_KEY: optionalTextSchema,
  SQUARE_BASE_URL: withBlankAsUnset(z.url("must be a URL").optional()),
  SQUARE_TIMEOUT_SECONDS: withBlankAsUnset(z.coerce.number("must be a number of seconds").min(1).max(20).default(20)),
  FILE_STORAGE: withBlankAsUnset(
    z
      .string()
      .regex(/^(file:.|s3:\/\/.)/, "must begin with file: or s3://")
      .optional(),
  ),
  CLAMAV_URL: withBlankAsUnset(
    z
      .string()
      .trim()
      .refine(
        (value) => parseClamdAddress(value) !== null,
        "must look like tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl",
      )
      .optional(),
  ),
  ERASURE_GRACE_DAYS: withBlankAsUnset(z.coerce.number("must be a number of days").int().min(0).max(90).default(14)),
  METRICS_TOKEN: withBlankAsUnset(
    z.string().trim().min(MIN_TOKEN_CHARACTERS, `must have at least ${MIN_TOKEN_CHARACTERS} characters`).optional(),
  ),
  FILE_KEYS: optionalTextSchema,
  BACKUP_KEYS: optionalTextSchema,
  BACKUP_STORAGE: withBlankAsUnset(
    z
      .string()
      .regex(/^(file:.|s3:\/\/.)/, "must begin with file: or s3://")
      .optional(),
  ),
  BACKUP_AT: withBlankAsUnset(
    z
      .string()
      .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, "must be a time of day such as 02:30, or off")
      .default("02:30"),
  ),
  BACKUP_KEEP: withBlankAsUnset(z.coerce.number("must be a number of files").int().min(1).max(1000).default(14)),
  CLOSED_ACCOUNT_YEARS: withBlankAsUnset(z.coerce.number("must be a number of years").int().min(1).max(100).optional()),
  REQUEST_MONTHS: withBlankAsUnset(z.coerce.number("must be a number of months").int().min(1).max(1200).optional()),
  AUDIT_YEARS: withBlankAsUnset(z.coerce.number("must be a number of years").int().min(1).max(100).default(6)),
  AWS_ACCESS_KEY_ID: optionalTextSchema,
  AWS_SECRET_ACCESS_KEY: optionalTextSchema,
  STUN_URLS: withBlankAsUnset(commaSeparatedUrlsSchema("stun", { orNone: true }).optional()),
  TURN_URLS: withBlankAsUnset(commaSeparatedUrlsSchema("turn").optional()),
  TURN_SECRET: optionalTextSchema,
  VISITOR_ADDRESS_HEADER: withBlankAsUnset(
    z
      .string()
      .trim()
      .regex(/^[a-z0-9-]+$/i, "must be the name of a header, such as X-Forwarded-For, or none")
      .optional(),
  ),
  SMTP_URL: withBlankAsUnset(
    z
      .string()
      .regex(/^smtps?:\/\/[^\s/]+\/?(\?\S*)?$/, "must look like smtp://user:password@host:587 or smtps://…")
      .refine((value) => URL.canParse(value), "must look like smtp://user:password@host:587 or smtps://…")
      .optional(),
  ),
  MAIL_FROM: withBlankAsUnset(z.string().trim().pipe(z.email("must be an email address")).optional()),
  LOG_LEVEL: withBlankAsUnset(
    z.enum(["info", "warn", "error", "silent"], "must be info, warn, error or silent").default("info"),
  ),
  RATE_LIMITS: withBlankAsUnset(z.enum(["on", "off"], "must be on or off").default("on")),
  NODE_ENV: optionalTextSchema,
  FLY_APP_NAME: optionalTextSchema,
});

/** Public STUN servers. They only tell a browser its own address; no media passes through them. */
const PUBLIC_STUN_URLS = ["stun:stun.cloudflare.com:3478", "stun:stun.l.google.com:19302"];

/**
 * Returns the STUN servers: those that are configured (none for "none"), otherwise the relays, which also support STUN
 * on the same host and port, so that families' addresses are not disclosed to others. Public servers if there is no
 * relay.
 */
export function resolveStunUrls(stunUrls: string | undefined, turnUrls: readonly string[]): string[] {
  if (stunUrls === "none") return [];
  if (stunUrls !== undefined) return splitList(stunUrls);
  if (turnUrls.length === 0) return PUBLIC_STUN_URLS;
  const relayHosts = turnUrls.flatMap((url) => /^turn:([^?]+)/.exec(url)?.[1] ?? []);
  return [...new Set(relayHosts)].map((hostAndPort) => `stun:${hostAndPort}`);
}

export function parseMasterKey(text: string): MasterKey | null {
  const [, id = "", encoded = ""] = /^([\w-]{1,40}):([\w+/-]{43}=?)$/.exec(text) ?? [];
  return id && id !== GENERATED_FILE_KEY_ID ? { id, key: Buffer.from(encoded, "base64") } : null;
}

/**
 * Parses tcp://host:port or unix:///path, also without the slashes after the scheme. Returns null for anything else.
 */
export function parseClamdAddress(text: string): ClamdAddress | null {
  const path = /^unix:(?:\/\/)?(\/(?!\/)[^\0]+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, name = "", digits = ""] = /^(?:tcp:\/\/)?([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  return name && port >= 1 && port <= MAX_PORT ? { host: name.replace(/^\[|\]$/g, ""), port } : null;
}

/** Parses a bucket URL. Returns undefined if `text` is not one. */
export function parseBucketUrl(text: string) {
  const [, name = "", query = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(?:\?(.*))?$/.exec(text) ?? [];
  const params = new URLSearchParams(query);
  const region = params.get("region") ?? "us-east-1";
  const endpoint = params.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const isValidBucketUrl = name !== "" && URL.canParse(endpoint) && /^https?:/.test(endpoint);
  return isValidBucketUrl ? { url: `${endpoint.replace(/\/+$/, "")}/${name}`, region } : undefined;
}

export function splitList(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
