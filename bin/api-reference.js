/**
 * @typedef {{ [key: string]: any, $ref?: string }} Schema
 * @typedef {{ $ref?: string, description?: string, content?: Record<string, { schema?: Schema }> }} Body
 * @typedef {{ name: string, in: string, required: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ summary: string, description: string, parameters?: Parameter[], requestBody?: Body, responses: Record<string, Body> }} Operation
 * @typedef {{ info: { description: string }, paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, Schema>, responses: Record<string, Body> } }} Description
 * @typedef {{ path: string, method: string, operation: Operation }} Call
 */

/** Chapters of the reference, with the first path segments after `/api/` of their calls. */
const CHAPTERS = {
  "Accounts and signing in": ["auth", "users"],
  Appointments: ["appointments", "calendar-feed"],
  "Card payment": ["payments"],
  "Intake form": ["intake-form", "intake-forms"],
  Documents: ["documents"],
  "Your family's data": ["me"],
  "Consultation requests": ["consultation-requests"],
  "This description": ["openapi.json"],
};

/**
 * Builds the human-readable reference of the API as Markdown from its OpenAPI description.
 * @param {Description} description
 */
export function renderApiReference({ info, paths, components }) {
  /** @type {Call[]} */
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const commonResponseNames = Object.keys(components.responses).filter((name) =>
    calls.every(({ operation }) => Object.values(operation.responses).some(({ $ref }) => $ref?.endsWith(`/${name}`))),
  );
  const chapters = Object.entries(CHAPTERS).flatMap(([title, segments]) => {
    const chapterCalls = calls.filter(({ path }) => segments.includes(firstSegmentAfterApi(path)));
    return [`## ${title}`, ...chapterCalls.map((call) => renderOperation(call, commonResponseNames))];
  });
  const schemas = Object.entries(components.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    "# The API",
    `This page is written by \`npm run api-docs\` from the description that every site serves at \`/api/openapi.json\`, which
is also in [\`openapi.json\`](openapi.json). The rules behind the calls are in [\`product.md\`](product.md).`,
    "## How to call it",
    info.description,
    `### Statuses of every call\n\n${statusTable(calls, commonResponseNames, components)}`,
    ...chapters,
    "## Schemas",
    ...schemas.map(([name, schema]) => `### ${name}\n\n${renderSchemaTable(schema)}`),
    "",
  ].join("\n\n");
}

/** @param {string} path */
function firstSegmentAfterApi(path) {
  return path.split("/")[2] ?? "";
}

/**
 * @param {Call[]} calls
 * @param {string[]} commonResponseNames
 * @param {Description["components"]} components
 */
function statusTable(calls, commonResponseNames, components) {
  const statuses = calls.flatMap(({ operation }) => Object.entries(operation.responses));
  const rows = Object.entries(components.responses).flatMap(([name, { description }]) => {
    const status = statuses.find(([, { $ref }]) => $ref?.endsWith(`/${name}`))?.[0];
    return status
      ? [`| ${status} | ${description} | ${commonResponseNames.includes(name) ? "every call" : "where it is named"} |`]
      : [];
  });
  return ["| status | meaning | of |", "|---|---|---|", ...rows].join("\n");
}

/**
 * @param {Call} call
 * @param {string[]} commonResponseNames
 */
function renderOperation({ path, method, operation }, commonResponseNames) {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === "query");
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(responses).filter(([, { $ref }]) => !$ref);
  const refusals = Object.entries(responses).filter(
    ([, { $ref }]) => $ref && !commonResponseNames.some((name) => $ref.endsWith(`/${name}`)),
  );
  return [
    `### ${method} ${path}`,
    `${summary}. ${description}`,
    ...(query.length > 0 ? [`Query:\n\n${parameterTable(query)}`] : []),
    ...(body?.schema ? [`Body (\`${type}\`):\n\n${renderSchemaTable(body.schema)}`] : []),
    [
      `Answers: ${answers.map(([status, answer]) => `**${status}** ${contentOf(answer)}`).join("; ")}.`,
      ...(refusals.length > 0 ? [`Refusals: ${refusals.map(([status]) => status).join(", ")}.`] : []),
    ].join(" "),
  ].join("\n\n");
}

/** @param {Body} answer */
function contentOf({ content = {} }) {
  const [type = "", body] = Object.entries(content)[0] ?? [];
  if (body?.schema) return formatType(body.schema);
  return type === "*/*" ? "the file" : `\`${type}\``;
}

/** @param {Parameter[]} parameters */
function parameterTable(parameters) {
  const rows = parameters.map(({ name, required, description, schema }) =>
    fieldRow(name, { ...schema, description }, required),
  );
  return [...TABLE_HEAD, ...rows].join("\n");
}

const TABLE_HEAD = ["| field | type | |", "|---|---|---|"];

/** @param {Schema} schema */
function renderSchemaTable(schema) {
  if (!schema.properties) return formatType(schema);
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    fieldRow(name, /** @type {Schema} */ (field), schema.required?.includes(name) ?? false),
  );
  return [...TABLE_HEAD, ...rows].join("\n");
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} isRequired
 */
function fieldRow(name, schema, isRequired) {
  const notes = [isRequired ? "" : "optional", schema.description, ...limitsOf(schema)].filter(Boolean);
  return `| \`${name}\` | ${formatType(schema)} | ${notes.map(capitalize).join(". ")} |`;
}

/** @param {string} text */
function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");
}

/** @param {Schema} schema */
function limitsOf({ minLength, maxLength, minimum, maximum, default: initial, $ref }) {
  if ($ref) return [];
  /** @type {(low: number | undefined, high: number | undefined, unit: string) => string} */
  const range = (low, high, unit) =>
    high === undefined ? "" : `${low === undefined ? "at most" : `${low} to`} ${high}${unit}`;
  const isId = minimum === 1 && maximum > 1_000_000;
  const parts = [range(minLength, maxLength, " characters"), isId ? "" : range(minimum, maximum, "")];
  return [...parts, initial === undefined ? "" : `\`${initial}\` if absent`];
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function formatType({ $ref, type, format, enum: values, const: value, anyOf, items, properties, ...rest }) {
  if ($ref) {
    const name = $ref.split("/").at(-1) ?? "";
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (anyOf) return anyOf.map(formatType).join(" or ");
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return values.map((/** @type {unknown} */ each) => `\`${each}\``).join(", ");
  if (type === "array") return items && Object.keys(items).length > 0 ? `list of ${formatType(items)}` : "list";
  if (properties)
    return `object with ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(", ")}`;
  if (rest.contentMediaType) return "file";
  if (format === "date-time") return "instant";
  return [type].flat().filter(Boolean).join(" or ") || "any value";
}
