type LogRecord = Record<string, unknown> & { time?: string; level?: string; msg?: string };

/** Formats a log record for a terminal: 14:03:07 GET /documents/:id 200, 12 ms, 4 kB (48210937). */
export function formatLogRecord(json: string): string {
  const { time = "", level = "info", msg, ...rest } = JSON.parse(json) as LogRecord;
  const timeOfDay = time.slice(11, 19);
  const levelPrefix = level === "info" ? "" : `${level}: `;
  if (typeof rest.method === "string") {
    const { method, route, status, ms, bytes, id } = rest;
    return `${timeOfDay} ${levelPrefix}${method} ${String(route)} ${String(status)}, ${String(ms)} ms, ${formatLogByteCount(Number(bytes))} (${String(id)})\n`;
  }
  const extras = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${timeOfDay} ${levelPrefix}${msg ?? ""}${extras.join("")}\n`;
}

function formatLogByteCount(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString("en-US")} kB`;
}
