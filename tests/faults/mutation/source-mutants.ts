import { parseSync } from "vite";

/**
 * One small fault in a file: `replacement` instead of the text from `start` to `end`. A property is left out of its
 * object; an expression is replaced. `isStatic`: evaluated once, when the module is loaded.
 */
export type Mutant = {
  kind: string;
  start: number;
  end: number;
  replacement: string;
  isProperty: boolean;
  isStatic: boolean;
};

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const OTHER_COMPARISON: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};
const OTHER_REASON: Record<string, string> = { notFound: "forbidden", forbidden: "notFound", conflict: "invalid" };
const OTHER_MODE: Record<string, string> = { "0o600": "0o644", "0o700": "0o755", "0o077": "0o022" };
const LIMIT_NAME = /^(MAX|MIN|GUARANTEED)_|_(LIMIT|LENGTH|COUNT|SIZE|SHARE|BYTES|CENTS|MS|SECONDS|MINUTES|HOURS|DAYS)$/;
const TIME_NAME = /_(MS|SECONDS|MINUTES|HOURS|DAYS)$/;
const LIMIT_KEY = /^(max|min|limit|points|duration|take|address|process)/i;
const HEADER_NAME = /^[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)+$|^(Allow|Vary|Location)$/;
const QUANTITY = /cents|amount|minutes|seconds|ms\b|bytes|count|size|length|time/i;
const LOGGED = /^(log|logger|console)\b|^(logError|print)\(/;
const FUNCTION = /Function|MethodDefinition/;

/** The faults that a TypeScript file can have, in the order of their places. */
export function sourceMutants(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const text = (node: Node) => source.slice(node.start, node.end);
  const { program } = parseSync(file, source);
  visit(program as unknown as Node, [], (node, parents) => {
    const isStatic = !parents.some((parent) => FUNCTION.test(parent.type));
    for (const [kind, replacement, where = node] of mutantsOf(node, parents, text))
      mutants.push({
        kind,
        start: where.start,
        end: where.end,
        replacement,
        isStatic,
        isProperty: where.type === "Property" || where.type === "SpreadElement",
      });
  });
  return mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);

  function visit(node: Node, parents: Node[], enter: (node: Node, parents: Node[]) => void) {
    // Types do not run, and no test should depend on the text of a log line.
    if (/^TS(?!AsExpression|NonNull|Satisfies)/.test(node.type) || node.type === "ImportDeclaration") return;
    if (node.type === "CallExpression" && LOGGED.test(text(node))) return;
    enter(node, parents);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(child)) visit(child, [...parents, node], enter);
  }
}

type Found = [kind: string, replacement: string, where?: Node];

function mutantsOf(node: Node, parents: Node[], text: (node: Node) => string): Found[] {
  const parent = parents.at(-1);
  switch (node.type) {
    case "BinaryExpression":
      return binaryMutants(node, parents, text);
    case "LogicalExpression":
      return logicalMutants(node, text);
    case "IfStatement":
      return [[leaves(node.consequent as Node) ? "guard" : "condition", "false", node.test as Node]];
    case "UnaryExpression":
      return node.operator === "!" ? [["condition", `(${text(node.argument as Node)})`]] : [];
    case "AwaitExpression":
      return [["await", `(${text(node.argument as Node)})`]];
    case "ExpressionStatement":
      return statementMutants(node.expression as Node, text);
    case "VariableDeclarator":
      return limitMutants(node, text);
    case "Property":
    case "SpreadElement":
      return parent?.type === "ObjectExpression" ? propertyMutants(node, parents, text) : [];
    case "TaggedTemplateExpression":
      return [...queryMutants(text(node))];
    case "CallExpression":
      return callMutants(node, text);
    case "Literal":
      return literalMutants(node, parent);
    default:
      return [];
  }
}

function binaryMutants(node: Node, parents: Node[], text: (node: Node) => string): Found[] {
  const [left, right] = [text(node.left as Node), text(node.right as Node)];
  const operator = String(node.operator);
  const other = OTHER_COMPARISON[operator];
  if (other) return [["comparison", `(${left}) ${other} (${right})`]];
  if (operator === "-" && isSortCallback(parents, text)) return [["order", `(${right}) - (${left})`]];
  if (!["+", "-"].includes(operator) || !QUANTITY.test(left + right) || /["'`]/.test(left + right)) return [];
  return [["arithmetic", `(${left}) ${operator === "+" ? "-" : "+"} (${right})`]];
}

function isSortCallback(parents: Node[], text: (node: Node) => string): boolean {
  const call = parents.at(-2);
  return call?.type === "CallExpression" && /\.(sort|toSorted)$/.test(text(call.callee as Node));
}

/** `a ?? b` is how refusals are chained: without `a` its refusal is gone. */
function logicalMutants(node: Node, text: (node: Node) => string): Found[] {
  const [left, right] = [text(node.left as Node), text(node.right as Node)];
  if (node.operator === "??") return /^\(?await |Problem|refus|validat/.test(left) ? [["guard", `(${right})`]] : [];
  return [["logic", `(${left}) ${node.operator === "&&" ? "||" : "&&"} (${right})`]];
}

function statementMutants(expression: Node, text: (node: Node) => string): Found[] {
  const call = expression.type === "AwaitExpression" ? (expression.argument as Node) : expression;
  if (call.type !== "CallExpression" || LOGGED.test(text(call))) return [];
  const isHeader = /\.(set|append|setHeader)$/.test(text(call.callee as Node)) && /\(\s*"[A-Z]/.test(text(call));
  return [[isHeader ? "header" : "call", "undefined", expression]];
}

/** Durations are doubled: one millisecond more has no effect. */
function limitMutants(node: Node, text: (node: Node) => string): Found[] {
  const init = node.init as Node | null;
  const name = text(node.id as Node);
  if (!init || !LIMIT_NAME.test(name) || !/^[\d_.]+( ?[-*+/]+ ?[\w.]+)*$/.test(text(init))) return [];
  const written = text(init);
  return [["limit", TIME_NAME.test(name) && !/^(MAX|MIN)_/.test(name) ? `2 * (${written})` : `(${written}) + 1`, init]];
}

function propertyMutants(node: Node, parents: Node[], text: (node: Node) => string): Found[] {
  const written = text(node);
  const name = node.type === "Property" ? text(node.key as Node) : written;
  if (HEADER_NAME.test(name.replaceAll('"', ""))) return [["header", ""]];
  if (isCondition(parents, text))
    return [
      [/userId|accessible\w*Condition|resolveAppointmentAccount|person|family/i.test(written) ? "owner" : "where", ""],
    ];
  const value = node.value as Node | undefined;
  const isNumber = value?.type === "Literal" && typeof value.value === "number";
  return isNumber && LIMIT_KEY.test(name) ? [["limit", `${text(value)} + 1`, value]] : [];
}

/** Directly in the object of a `where`, or in one that a variable or function of that name holds. */
function isCondition(parents: Node[], text: (node: Node) => string): boolean {
  const holder = parents.at(-2);
  const name = holder?.type === "Property" ? holder.key : holder?.type === "VariableDeclarator" ? holder.id : null;
  if (name) return /^where|Where$/.test(text(name as Node));
  const declared = parents.findLast(({ type }) => type === "FunctionDeclaration");
  return (
    holder?.type === "ConditionalExpression" &&
    /accessible\w*Condition|where/i.test(declared ? text(declared.id as Node) : "")
  );
}

/** A query's lines of conditions, one dropped at a time. */
function* queryMutants(written: string): Generator<Found> {
  if (!/^(sql|Prisma\.sql)`/.test(written)) return;
  for (const [line] of written.matchAll(/^\s*AND .*$/gm)) {
    const isWhole = line.split("(").length === line.split(")").length && !line.includes("`");
    if (isWhole) yield [/userId/.test(line) ? "owner" : "where", written.replace(line, "")];
  }
}

function callMutants(node: Node, text: (node: Node) => string): Found[] {
  const [first, second] = node.arguments as Node[];
  const callee = text(node.callee as Node);
  if (callee === "refused" && first?.type === "Literal")
    return [["status", JSON.stringify(OTHER_REASON[String(first.value)] ?? "invalid"), first]].filter(
      ([, replacement]) => replacement !== text(first),
    ) as Found[];
  const limit = /\.(max|min|length)$/.test(callee)
    ? first
    : /\.slice$|^create(Rate|Network)Limiter$/.test(callee)
      ? second
      : undefined;
  const isNumber = limit?.type === "Literal" && typeof limit.value === "number";
  return isNumber && !callee.startsWith("Math.") ? [["limit", `${text(limit)} + 1`, limit]] : [];
}

function literalMutants(node: Node, parent: Node | undefined): Found[] {
  const { value, raw } = node as unknown as { value: unknown; raw?: string };
  if (value === "asc" || value === "desc") return [["order", value === "asc" ? '"desc"' : '"asc"']];
  const mode = OTHER_MODE[raw ?? ""];
  if (mode) return [["mode", mode]];
  const isStatus = typeof value === "number" && Number.isInteger(value) && value >= 400 && value < 512;
  const isGiven = /Property|CallExpression|NewExpression|ConditionalExpression|ReturnStatement/.test(
    parent?.type ?? "",
  );
  return isStatus && isGiven && parent?.key !== node ? [["status", "200"]] : [];
}

function leaves(consequent: Node): boolean {
  const last = consequent.type === "BlockStatement" ? (consequent.body as Node[]).at(-1) : consequent;
  return /^(Return|Throw|Continue)Statement$/.test(last?.type ?? "");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
