import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FileKey, KEPT_FILE_KEY, readBucket, readFileKey, splitList, variables } from "./env-variables.server.ts";
import { restrictModes } from "./file-modes.server.ts";
import { normalEmail } from "./normal-email.ts";
import { StartError } from "./start-error.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const MIN_SECRET_BYTES = 32;
const NO_VISITOR_ADDRESS =
  "VISITOR_ADDRESS_HEADER is required when APP_ORIGIN is public: the header in which the proxy in front names the visitor, such as X-Forwarded-For, or none where there is no proxy";
const KEY_LIST = "NAME:KEY with 32 bytes in base64 as the key (several, newest first, separated by commas)";
/** They tell a browser the address it is seen under; no part of a visit passes through them. */
const PUBLIC_STUN = "stun:stun.cloudflare.com:3478,stun:stun.l.google.com:19302";
export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Checks the environment variables and derives what the product needs from them (decisions §3).
 * Throws StartError with one readable line per mistake.
 */
export function readEnvironment(source: Record<string, string | undefined>) {
  const parsed = variables.safeParse(source);
  const mistakes = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  if (!parsed.success) throw new StartError(mistakes.join("\n"));
  const value = parsed.data;

  const dataDir = path.resolve(value.DATA_DIR);
  const appOrigin = value.APP_ORIGIN ?? new URL(`http://localhost:${value.PORT}`);
  const isPublic = !LOOPBACK.includes(appOrigin.hostname);
  const hasSquareKeys = Boolean(value.SQUARE_ACCESS_TOKEN && value.SQUARE_APPLICATION_ID && value.SQUARE_LOCATION_ID);
  const payments = value.PAYMENTS ?? (hasSquareKeys ? "square" : isPublic ? "off" : "simulator");

  if (isPublic && appOrigin.protocol !== "https:") mistakes.push("APP_ORIGIN must be https when it is public");
  if (isPublic && !value.SESSION_SECRET) mistakes.push("SESSION_SECRET is required when APP_ORIGIN is public");
  if (isPublic && !source.ADMIN_EMAIL?.trim()) mistakes.push("ADMIN_EMAIL is required when APP_ORIGIN is public");
  if (isPublic && !value.ADMIN_PASSWORD) mistakes.push("ADMIN_PASSWORD is required when APP_ORIGIN is public");
  if (isPublic && !value.VISITOR_ADDRESS_HEADER && !value.FLY_APP_NAME) mistakes.push(NO_VISITOR_ADDRESS);
  if (isPublic && payments === "simulator") mistakes.push("PAYMENTS must not be simulator when APP_ORIGIN is public");
  if (payments === "square" && !hasSquareKeys) {
    mistakes.push(
      "PAYMENTS is square, so SQUARE_APPLICATION_ID, SQUARE_LOCATION_ID and SQUARE_ACCESS_TOKEN are required",
    );
  }
  if (isPublic && payments === "square" && value.SQUARE_ENVIRONMENT === "sandbox") {
    mistakes.push("SQUARE_ENVIRONMENT must be production when APP_ORIGIN is public");
  }
  if (isPublic && payments === "square" && value.SQUARE_APPLICATION_ID?.startsWith("sandbox-")) {
    mistakes.push("SQUARE_APPLICATION_ID must not be the sandbox's when APP_ORIGIN is public");
  }
  if (isPublic && value.SQUARE_BASE_URL)
    mistakes.push("SQUARE_BASE_URL is for tests; leave it out when APP_ORIGIN is public");
  if (value.TURN_URLS && !value.TURN_SECRET) mistakes.push("TURN_SECRET is required when TURN_URLS is set");
  if (isPublic && value.RATE_LIMITS === "off") mistakes.push("RATE_LIMITS must be on when APP_ORIGIN is public");
  const givenSecrets = splitList(value.SESSION_SECRET);
  if (givenSecrets.some((secret) => Buffer.byteLength(secret) < MIN_SECRET_BYTES)) {
    mistakes.push(`SESSION_SECRET must have at least ${MIN_SECRET_BYTES} bytes (each, when it lists several)`);
  }
  const fileKeys = splitList(value.FILE_KEYS).map(readFileKey);
  if (fileKeys.includes(null)) {
    mistakes.push(`FILE_KEYS must be ${KEY_LIST}`);
  }
  const backupKeys = splitList(value.BACKUP_KEYS).map(readFileKey);
  if (backupKeys.includes(null)) mistakes.push(`BACKUP_KEYS must be ${KEY_LIST}`);
  const bucketOf = (name: "FILE_STORAGE" | "BACKUP_STORAGE") => {
    const place = value[name];
    if (!place?.startsWith("s3:")) return null;
    const bucket = readBucket(place);
    if (!bucket) mistakes.push(`${name} must look like s3://bucket?endpoint=https://s3.example.com&region=us-east-1`);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = value;
    if (!accessKeyId || !secretAccessKey) {
      mistakes.push(`AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required when ${name} is s3:`);
    }
    return bucket ? { ...bucket, accessKeyId: accessKeyId ?? "", secretAccessKey: secretAccessKey ?? "" } : null;
  };
  const folderOf = (name: "FILE_STORAGE" | "BACKUP_STORAGE", usual: string) =>
    path.resolve(value[name]?.startsWith("file:") ? value[name].slice("file:".length) : path.join(dataDir, usual));
  const bucket = bucketOf("FILE_STORAGE");
  const backupBucket = bucketOf("BACKUP_STORAGE");
  if (mistakes.length > 0) throw new StartError(mistakes.join("\n"));

  const ownOrigins = isPublic
    ? [appOrigin.origin]
    : [appOrigin.port, String(value.PORT)].flatMap((port) =>
        LOOPBACK.map((host) => new URL(`http://${host}:${port}`).origin),
      );
  if (!ownOrigins.includes(appOrigin.origin)) ownOrigins.push(appOrigin.origin);
  return {
    isPublic,
    isDevelopment: value.NODE_ENV === "development",
    /** In which header the proxy in front of a public process names the visitor, in small letters; null: there is none. */
    visitorAddressHeader: isPublic ? headerIn(value.VISITOR_ADDRESS_HEADER ?? "Fly-Client-IP") : null,
    logLevel: value.LOG_LEVEL,
    port: value.PORT,
    host: value.HOST ?? (isPublic ? "0.0.0.0" : "127.0.0.1"),
    origin: appOrigin.origin,
    ownOrigins: new Set(ownOrigins),
    // Some proxies write the usual port out.
    ownHosts: new Set([
      ...ownOrigins.map((own) => new URL(own).host),
      ...(isPublic ? [`${appOrigin.hostname}:443`] : []),
    ]),
    databaseUrl: value.DATABASE_URL ?? `file:${path.join(dataDir, "app.db")}`,
    dataDir,
    sessionSecrets: givenSecrets,
    adminEmail: normalEmail(value.ADMIN_EMAIL),
    adminPassword: value.ADMIN_PASSWORD,
    practice: {
      name: value.PRACTICE_NAME,
      phone: value.PRACTICE_PHONE,
      email: value.PRACTICE_EMAIL ?? value.ADMIN_EMAIL,
      timeZone: value.PRACTICE_TIME_ZONE,
    },
    payments,
    square: {
      environment: value.SQUARE_ENVIRONMENT ?? (isPublic ? "production" : "sandbox"),
      applicationId: value.SQUARE_APPLICATION_ID,
      locationId: value.SQUARE_LOCATION_ID,
      accessToken: value.SQUARE_ACCESS_TOKEN,
      webhookSignatureKey: value.SQUARE_WEBHOOK_SIGNATURE_KEY,
      baseUrl: value.SQUARE_BASE_URL,
      timeoutSeconds: value.SQUARE_TIMEOUT_SECONDS,
    },
    files: {
      /** Where the local folder lies; with a bucket, where a file waits until it is whole. */
      folder: folderOf("FILE_STORAGE", bucket ? "uploading" : "files"),
      bucket,
      /** Whether FILE_KEYS names any; else the one key is made here and lies beside what it opens. */
      hasGivenKeys: fileKeys.length > 0,
      /** Newest first. */
      keys: fileKeys.filter((key) => key !== null),
    },
    backups: {
      /** Where the files lie; with a bucket, where one waits until it is whole. */
      folder: folderOf("BACKUP_STORAGE", backupBucket ? "backing-up" : "backups"),
      bucket: backupBucket,
      /** Newest first; none: no backup can be made. */
      keys: backupKeys.filter((key) => key !== null),
      /** How many files a folder keeps. */
      keep: value.BACKUP_KEEP,
    },
    video: {
      stunUrls: splitList(value.STUN_URLS ?? PUBLIC_STUN),
      turnUrls: splitList(value.TURN_URLS),
      turnSecret: value.TURN_SECRET,
    },
    rateLimits: value.RATE_LIMITS === "on",
    sessionCookie: isPublic ? "__Host-session" : "session",
  } as const;
}

/** The name as Node writes it; null for `none`, which says that no proxy stands in front. */
function headerIn(setting: string): string | null {
  const name = setting.toLowerCase();
  return name === "none" ? null : name;
}

export const env = loadEnvironment();

function loadEnvironment(): Environment {
  const environment = readEnvironment(process.env);
  const { dataDir, files, sessionSecrets } = environment;
  openFolder(dataDir);
  restrictModes(dataDir, environment.databaseUrl);
  return {
    ...environment,
    // A local process makes its own secret once, so that sign-ins survive a restart.
    sessionSecrets: sessionSecrets.length > 0 ? sessionSecrets : [keptSecret(dataDir, "session-secret")],
    files: { ...files, keys: [...files.keys, ...keptFileKey(dataDir, files.keys.length === 0)] },
  };
}

/** Nothing is kept plain: without FILE_KEYS a process makes a key of its own, which then opens its records for good. */
function keptFileKey(dataDir: string, isNeeded: boolean): FileKey[] {
  if (!isNeeded && !existsSync(path.join(dataDir, KEPT_FILE_KEY))) return [];
  return [{ id: KEPT_FILE_KEY, key: Buffer.from(keptSecret(dataDir, KEPT_FILE_KEY), "base64url") }];
}

/** Made for this account alone: other people of the machine have no business in families' records. */
function openFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`DATA_DIR must be a folder that this account can write to; ${dataDir} is not (${code}).`);
  }
}

function keptSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}
