import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  type MasterKey,
  GENERATED_FILE_KEY_ID,
  parseBucketUrl,
  parseClamdAddress,
  parseMasterKey,
  resolveStunUrls,
  splitList,
  environmentSchema,
} from "./env-schema.server.ts";
import { setUmaskAndRestrictFileModes } from "./file-modes.server.ts";
import { normalizeEmail } from "./normalize-email.ts";
import { OperatorError } from "./operator-error.ts";

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const MIN_SECRET_BYTES = 32;
const MISSING_VISITOR_ADDRESS_HEADER_MESSAGE =
  "VISITOR_ADDRESS_HEADER is required when APP_ORIGIN is public: the header in which the proxy in front names the visitor, such as X-Forwarded-For, or none where there is no proxy";
const KEY_LIST_FORMAT_DESCRIPTION =
  "NAME:KEY with 32 bytes in base64 as the key (several, newest first, separated by commas)";
export type Environment = ReturnType<typeof parseEnvironment>;

/** Validates the environment variables and derives the settings. Throws OperatorError with one line per error. */
export function parseEnvironment(source: Record<string, string | undefined>) {
  const parsed = environmentSchema.safeParse(source);
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  if (!parsed.success) throw new OperatorError(problems.join("\n"));
  const variables = parsed.data;

  const dataDir = path.resolve(variables.DATA_DIR);
  const appOrigin = variables.APP_ORIGIN ?? new URL(`http://localhost:${variables.PORT}`);
  const isPublic = !LOOPBACK_HOSTS.includes(appOrigin.hostname);
  const hasSquareKeys = Boolean(
    variables.SQUARE_ACCESS_TOKEN && variables.SQUARE_APPLICATION_ID && variables.SQUARE_LOCATION_ID,
  );
  const paymentMode = variables.PAYMENTS ?? (hasSquareKeys ? "square" : isPublic ? "off" : "simulator");

  if (isPublic && appOrigin.protocol !== "https:") problems.push("APP_ORIGIN must be https when it is public");
  if (isPublic && !variables.SESSION_SECRET) problems.push("SESSION_SECRET is required when APP_ORIGIN is public");
  if (isPublic && !source.ADMIN_EMAIL?.trim()) problems.push("ADMIN_EMAIL is required when APP_ORIGIN is public");
  if (isPublic && !variables.ADMIN_PASSWORD) problems.push("ADMIN_PASSWORD is required when APP_ORIGIN is public");
  if (isPublic && !variables.VISITOR_ADDRESS_HEADER && !variables.FLY_APP_NAME)
    problems.push(MISSING_VISITOR_ADDRESS_HEADER_MESSAGE);
  if (isPublic && paymentMode === "simulator")
    problems.push("PAYMENTS must not be simulator when APP_ORIGIN is public");
  if (paymentMode === "square" && !hasSquareKeys) {
    problems.push(
      "PAYMENTS is square, so SQUARE_APPLICATION_ID, SQUARE_LOCATION_ID and SQUARE_ACCESS_TOKEN are required",
    );
  }
  if (isPublic && paymentMode === "square" && variables.SQUARE_ENVIRONMENT === "sandbox") {
    problems.push("SQUARE_ENVIRONMENT must be production when APP_ORIGIN is public");
  }
  if (isPublic && paymentMode === "square" && variables.SQUARE_APPLICATION_ID?.startsWith("sandbox-")) {
    problems.push("SQUARE_APPLICATION_ID must not be the sandbox's when APP_ORIGIN is public");
  }
  if (isPublic && variables.SQUARE_BASE_URL)
    problems.push("SQUARE_BASE_URL is for tests; leave it out when APP_ORIGIN is public");
  if (variables.TURN_URLS && !variables.TURN_SECRET) problems.push("TURN_SECRET is required when TURN_URLS is set");
  if (isPublic && variables.RATE_LIMITS === "off") problems.push("RATE_LIMITS must be on when APP_ORIGIN is public");
  const sessionSecrets = splitList(variables.SESSION_SECRET);
  if (sessionSecrets.some((secret) => Buffer.byteLength(secret) < MIN_SECRET_BYTES)) {
    problems.push(`SESSION_SECRET must have at least ${MIN_SECRET_BYTES} bytes (each, when it lists several)`);
  }
  const fileKeys = splitList(variables.FILE_KEYS).map(parseMasterKey);
  if (fileKeys.includes(null)) {
    problems.push(`FILE_KEYS must be ${KEY_LIST_FORMAT_DESCRIPTION}`);
  }
  const backupKeys = splitList(variables.BACKUP_KEYS).map(parseMasterKey);
  if (backupKeys.includes(null)) problems.push(`BACKUP_KEYS must be ${KEY_LIST_FORMAT_DESCRIPTION}`);
  const parseBucket = (name: "FILE_STORAGE" | "BACKUP_STORAGE") => {
    const url = variables[name];
    if (!url?.startsWith("s3:")) return null;
    const bucket = parseBucketUrl(url);
    if (!bucket) problems.push(`${name} must look like s3://bucket?endpoint=https://s3.example.com&region=us-east-1`);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
    if (!accessKeyId || !secretAccessKey) {
      problems.push(`AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required when ${name} is s3:`);
    }
    return bucket ? { ...bucket, accessKeyId: accessKeyId ?? "", secretAccessKey: secretAccessKey ?? "" } : null;
  };
  const resolveFolder = (name: "FILE_STORAGE" | "BACKUP_STORAGE", defaultName: string) =>
    path.resolve(
      variables[name]?.startsWith("file:") ? variables[name].slice("file:".length) : path.join(dataDir, defaultName),
    );
  const bucket = parseBucket("FILE_STORAGE");
  const backupBucket = parseBucket("BACKUP_STORAGE");
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));

  const allowedOrigins = isPublic
    ? [appOrigin.origin]
    : [appOrigin.port, String(variables.PORT)].flatMap((port) =>
        LOOPBACK_HOSTS.map((host) => new URL(`http://${host}:${port}`).origin),
      );
  if (!allowedOrigins.includes(appOrigin.origin)) allowedOrigins.push(appOrigin.origin);
  return {
    isPublic,
    isDevelopment: variables.NODE_ENV === "development",
    /** The header in which the proxy passes the client's IP address, in lower case; null without a proxy. */
    clientIpHeader: isPublic ? parseHeaderName(variables.VISITOR_ADDRESS_HEADER ?? "Fly-Client-IP") : null,
    logLevel: variables.LOG_LEVEL,
    port: variables.PORT,
    host: variables.HOST ?? (isPublic ? "0.0.0.0" : "127.0.0.1"),
    origin: appOrigin.origin,
    allowedOrigins: new Set(allowedOrigins),
    // Some proxies include the default port.
    allowedHosts: new Set([
      ...allowedOrigins.map((origin) => new URL(origin).host),
      ...(isPublic ? [`${appOrigin.hostname}:443`] : []),
    ]),
    databaseUrl: variables.DATABASE_URL ?? `file:${path.join(dataDir, "app.db")}`,
    dataDir,
    sessionSecrets,
    adminEmail: normalizeEmail(variables.ADMIN_EMAIL),
    adminPassword: variables.ADMIN_PASSWORD,
    practice: {
      name: variables.PRACTICE_NAME,
      phone: variables.PRACTICE_PHONE,
      email: variables.PRACTICE_EMAIL ?? variables.ADMIN_EMAIL,
      timeZone: variables.PRACTICE_TIME_ZONE,
      /** For invoices and receipts; null if not set. */
      address: variables.PRACTICE_ADDRESS ?? null,
      /** Where families meet the consultant in person; null if not set. */
      meetingPlace: variables.PRACTICE_MEETING_PLACE ?? null,
      taxId: variables.PRACTICE_TAX_ID ?? null,
    },
    /** `name`, `bio`, `license` and `portraitFile` are null if not set. */
    consultant: {
      name: variables.CONSULTANT_NAME ?? null,
      bio: variables.CONSULTANT_BIO ?? null,
      license: variables.CONSULTANT_LICENSE ?? null,
      portraitFile: variables.CONSULTANT_PORTRAIT ? path.resolve(variables.CONSULTANT_PORTRAIT) : null,
    },
    payments: paymentMode,
    square: {
      environment: variables.SQUARE_ENVIRONMENT ?? (isPublic ? "production" : "sandbox"),
      applicationId: variables.SQUARE_APPLICATION_ID,
      locationId: variables.SQUARE_LOCATION_ID,
      accessToken: variables.SQUARE_ACCESS_TOKEN,
      webhookSignatureKey: variables.SQUARE_WEBHOOK_SIGNATURE_KEY,
      baseUrl: variables.SQUARE_BASE_URL,
      timeoutSeconds: variables.SQUARE_TIMEOUT_SECONDS,
    },
    files: {
      /** The local folder. With a bucket: the folder for files that are not completely uploaded yet. */
      folder: resolveFolder("FILE_STORAGE", bucket ? "uploading" : "files"),
      bucket,
      /** Whether FILE_KEYS is set; otherwise a generated key is stored next to the files. */
      hasConfiguredKeys: fileKeys.length > 0,
      /** Newest first. */
      keys: fileKeys.filter((key) => key !== null),
    },
    /** The virus scanner; null: uploads are not scanned. */
    clamd: variables.CLAMAV_URL === undefined ? null : parseClamdAddress(variables.CLAMAV_URL),
    backups: {
      /** The local folder; with a bucket, the staging folder. */
      folder: resolveFolder("BACKUP_STORAGE", backupBucket ? "backing-up" : "backups"),
      bucket: backupBucket,
      /** Newest first. Without keys no backup can be made. */
      keys: backupKeys.filter((key) => key !== null),
      /** When the nightly backup starts, in minutes after midnight in the practice's time zone; null disables it. */
      scheduledMinutes: parseBackupTime(variables.BACKUP_AT),
      /** Number of backups that a folder keeps. */
      maxBackups: variables.BACKUP_KEEP,
    },
    retention: {
      /** Years from closing a family's account to its erasure; null: it is not erased because of its age. */
      closedAccountYears: variables.CLOSED_ACCOUNT_YEARS ?? null,
      /** Months after which a request that was never scheduled is deleted; null: never. */
      requestMonths: variables.REQUEST_MONTHS ?? null,
    },
    /** How many years entries of the audit trail are kept. */
    auditRetentionYears: variables.AUDIT_YEARS,
    video: {
      stunUrls: resolveStunUrls(variables.STUN_URLS, splitList(variables.TURN_URLS)),
      turnUrls: splitList(variables.TURN_URLS),
      turnSecret: variables.TURN_SECRET,
    },
    /** Days from a family's erasure request to the erasure. */
    erasureGraceDays: variables.ERASURE_GRACE_DAYS,
    /** Bearer token for `/metrics`; without it `/metrics` responds with 404. */
    metricsToken: variables.METRICS_TOKEN,
    mail: {
      /** Null: a local process writes files instead, a public one sends nothing. */
      smtpUrl: variables.SMTP_URL ?? null,
      /** The sender; replies go to the practice's address. */
      from: variables.MAIL_FROM ?? variables.PRACTICE_EMAIL ?? variables.ADMIN_EMAIL,
      outboxFolder: path.join(dataDir, "outbox"),
    },
    isRateLimitingEnabled: variables.RATE_LIMITS === "on",
    sessionCookieName: isPublic ? "__Host-session" : "session",
  } as const;
}

/** Converts a time such as "02:30" to minutes after midnight; null for "off". */
function parseBackupTime(text: string): number | null {
  const [hours, minutes] = text.split(":").map(Number);
  return minutes === undefined ? null : Number(hours) * 60 + minutes;
}

/** Returns the header name in lower case, as Node reports it; null for `none`, which means that there is no proxy. */
function parseHeaderName(setting: string): string | null {
  const name = setting.toLowerCase();
  return name === "none" ? null : name;
}

export const env = initializeEnvironment();

function initializeEnvironment(): Environment {
  const environment = parseEnvironment(process.env);
  const { dataDir, files, sessionSecrets } = environment;
  ensureDataDir(dataDir);
  setUmaskAndRestrictFileModes(dataDir, environment.databaseUrl);
  return {
    ...environment,
    // A local process generates its secret once, so that sessions survive a restart.
    sessionSecrets: sessionSecrets.length > 0 ? sessionSecrets : [readOrCreateSecret(dataDir, "session-secret")],
    files: { ...files, keys: [...files.keys, ...loadOrCreateGeneratedFileKeys(dataDir, files.keys.length === 0)] },
  };
}

/** Files are always encrypted: without FILE_KEYS the process generates a key and stores it. */
function loadOrCreateGeneratedFileKeys(dataDir: string, shouldCreate: boolean): MasterKey[] {
  if (!shouldCreate && !existsSync(path.join(dataDir, GENERATED_FILE_KEY_ID))) return [];
  return [
    { id: GENERATED_FILE_KEY_ID, key: Buffer.from(readOrCreateSecret(dataDir, GENERATED_FILE_KEY_ID), "base64url") },
  ];
}

/** Private to this account: other users of the machine must not read families' records. */
function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`DATA_DIR must be a folder that this account can write to; ${dataDir} is not (${code}).`);
  }
}

function readOrCreateSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}
