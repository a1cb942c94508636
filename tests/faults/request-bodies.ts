import fc from "fast-check";

export type Entry = [name: string, value: string];

export const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";

/** The same fields as a form, as a form in parts, and as JSON. */
export function encoded(base: Record<string, unknown>, more: Entry[]): fc.Arbitrary<[Buffer, string]> {
  const pairs = Object.entries(base).flatMap(([key, value]): Entry[] =>
    [value]
      .flat()
      .map((each) => [key, typeof each === "object" ? JSON.stringify(each) : String(each === true ? "on" : each)]),
  );
  const all = [...pairs.filter(([key]) => !more.some(([other]) => other === key)), ...more];
  return fc
    .constantFrom<() => [Buffer, string]>(
      () => [
        Buffer.from(all.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("=")).join("&")),
        FORM,
      ],
      () => [multipart(all), "multipart/form-data; boundary=edge"],
      () => [Buffer.from(jsonOf(base, more)), JSON_TYPE],
    )
    .map((make) => make());
}

function multipart(entries: Entry[]): Buffer {
  const parts = entries.map(([key, value], index) => {
    const file = key === "file" || index % 7 === 3 ? '; filename="a.txt"\r\nContent-Type: text/plain' : "";
    return `--edge\r\nContent-Disposition: form-data; name="${key}"${file}\r\n\r\n${value}\r\n`;
  });
  const file = '--edge\r\nContent-Disposition: form-data; name="file"; filename="letter.txt"\r\n\r\nDear Ms. Kim\r\n';
  return Buffer.from(`${parts.join("")}${entries.length % 2 ? file : ""}${entries.length % 5 ? "--edge--\r\n" : ""}`);
}

/** As text, so that a name can be said twice. Values that are JSON themselves stand as such. */
function jsonOf(base: Record<string, unknown>, more: Entry[]): string {
  const unchanged = Object.entries(base).filter(([key]) => !more.some(([other]) => other === key));
  const members = unchanged.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  for (const [key, value] of more)
    members.push(`${JSON.stringify(key)}:${isJson(value) ? value : JSON.stringify(value)}`);
  return `{${members.join(",")}}`;
}

function isJson(value: string): boolean {
  return /^(true|false|null|\[\]|-?\d+(\.\d+)?(e\d+)?)$/.test(value) && value.length < 20;
}

export function oddBytes(): fc.Arbitrary<Buffer> {
  return fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.integer({ min: 0, max: 120_000 }).map((depth) => Buffer.from("[".repeat(depth) + "]".repeat(depth))),
    fc.integer({ min: 0, max: 40_000 }).map((depth) => Buffer.from('{"a":'.repeat(depth) + "1" + "}".repeat(depth))),
    fc.integer({ min: 0, max: 40_000 }).map((count) => Buffer.from(`--edge\r\n${"X: y\r\n".repeat(count)}\r\n`)),
    fc.integer({ min: 0, max: 30_000 }).map((count) => Buffer.from("--edge\r\n\r\n".repeat(count))),
    fc.integer({ min: 0, max: 30_000 }).map((count) => Buffer.from("--edge\r\n".repeat(count))),
    fc
      .constantFrom(
        "",
        "null",
        "[]",
        "%%%=%ff",
        "--edge",
        "--edge--",
        "{}",
        "[{}]",
        "=&".repeat(120_000),
        "&".repeat(250_000),
      )
      .map((each) => Buffer.from(each)),
  );
}
