import { z } from "zod";

/** The name of the envelope key that a public process makes for itself where none is given. */
export const KEPT_FILE_KEY = "file-key";

/** An envelope key: it wraps the key that each file has of its own. */
export type FileKey = { id: string; key: Buffer };

const blankIsAbsent = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const setting = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema);
const text = setting(z.string().trim().optional());

const origin = z
  .string()
  .trim()
  .transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, "").toLowerCase()) return url;
    context.addIssue({ code: "custom", message: "must be an origin such as https://www.example.com, without a path" });
    return z.NEVER;
  });

const zone = z.string().refine(isTimeZone, "must be a time zone name such as America/New_York");

/** One or several addresses of a kind, separated by commas. */
const urls = (kind: string) =>
  z
    .string()
    .refine(
      (value) => splitList(value).every((url) => new RegExp(`^${kind}s?:[^\\s,]+$`).test(url)),
      `must be one or several ${kind}: addresses, separated by commas`,
    );

/** Every variable, its shape and its default (decisions §3). */
export const variables = z.object({
  PORT: setting(z.coerce.number("must be a port number").int().min(1).max(65535).default(3000)),
  HOST: text,
  APP_ORIGIN: setting(origin.optional()),
  DATABASE_URL: setting(
    z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/)/, "must begin with file: or postgresql://")
      .optional(),
  ),
  DATA_DIR: setting(z.string().default("./data")),
  SESSION_SECRET: text,
  ADMIN_EMAIL: setting(z.string().trim().pipe(z.email("must be an email address")).default("consultant@example.com")),
  ADMIN_PASSWORD: setting(
    z
      .string()
      .min(6, "must have at least 6 characters")
      .refine((value) => Buffer.byteLength(value) <= 72, "must have at most 72 bytes")
      .optional(),
  ),
  PRACTICE_NAME: setting(z.string().trim().default("Harbor Family Advocacy")),
  PRACTICE_PHONE: setting(z.string().trim().default("(732) 555-0142")),
  PRACTICE_EMAIL: setting(z.email("must be an email address").optional()),
  PRACTICE_TIME_ZONE: setting(zone.default("America/New_York")),
  PAYMENTS: setting(z.enum(["square", "simulator", "off"], "must be square, simulator or off").optional()),
  SQUARE_ENVIRONMENT: setting(z.enum(["production", "sandbox"], "must be production or sandbox").optional()),
  SQUARE_APPLICATION_ID: text,
  SQUARE_LOCATION_ID: text,
  SQUARE_ACCESS_TOKEN: text,
  SQUARE_WEBHOOK_SIGNATURE_KEY: text,
  SQUARE_BASE_URL: setting(z.url("must be a URL").optional()),
  SQUARE_TIMEOUT_SECONDS: setting(z.coerce.number("must be a number of seconds").min(1).max(20).default(20)),
  FILE_STORAGE: setting(
    z
      .string()
      .regex(/^(file:.|s3:\/\/.)/, "must begin with file: or s3://")
      .optional(),
  ),
  FILE_KEYS: text,
  BACKUP_KEYS: text,
  BACKUP_STORAGE: setting(
    z
      .string()
      .regex(/^(file:.|s3:\/\/.)/, "must begin with file: or s3://")
      .optional(),
  ),
  BACKUP_KEEP: setting(z.coerce.number("must be a number of files").int().min(1).max(1000).default(14)),
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  STUN_URLS: setting(urls("stun").optional()),
  TURN_URLS: setting(urls("turn").optional()),
  TURN_SECRET: text,
  VISITOR_ADDRESS_HEADER: setting(
    z
      .string()
      .trim()
      .regex(/^[a-z0-9-]+$/i, "must be the name of a header, such as X-Forwarded-For, or none")
      .optional(),
  ),
  LOG_LEVEL: setting(
    z.enum(["info", "warn", "error", "silent"], "must be info, warn, error or silent").default("info"),
  ),
  RATE_LIMITS: setting(z.enum(["on", "off"], "must be on or off").default("on")),
  NODE_ENV: text,
  FLY_APP_NAME: text,
});

export function readFileKey(text: string): FileKey | null {
  const [, id = "", encoded = ""] = /^([\w-]{1,40}):([\w+/-]{43}=?)$/.exec(text) ?? [];
  return id && id !== KEPT_FILE_KEY ? { id, key: Buffer.from(encoded, "base64") } : null;
}

/** undefined for what is no bucket. */
export function readBucket(text: string) {
  const [, name = "", query = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(?:\?(.*))?$/.exec(text) ?? [];
  const words = new URLSearchParams(query);
  const region = words.get("region") ?? "us-east-1";
  const endpoint = words.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const isBucket = name !== "" && URL.canParse(endpoint) && /^https?:/.test(endpoint);
  return isBucket ? { url: `${endpoint.replace(/\/+$/, "")}/${name}`, region } : undefined;
}

export function splitList(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
