#!/usr/bin/env node
// The schema engine of `prisma migrate` and `prisma db` as WebAssembly from npm, for machines that can't download
// Prisma's binary. The Prisma CLI starts it (see prisma.config.ts) and exchanges JSON-RPC messages with it, one per
// line.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import { adapterFactory, createDatabase, checkDatabase } from "./schema-engine-adapters.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datamodels: { type: "string", multiple: true }, datasource: { type: "string", default: "{}" } },
});
const url = String(JSON.parse(String(values.datasource)).url ?? "");
const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(url));
/** @type {Promise<import("@prisma/schema-engine-wasm").SchemaEngine> | undefined} */
let engine;

if (positionals[0] === "cli") await runCliCommand(positionals[1]);
else await serveRequests();

/**
 * Handles `cli can-connect-to-database` and `cli create-database`. The exit code is the result; prints the reason of a
 * failure to stderr.
 * @param {string | undefined} command
 */
async function runCliCommand(command) {
  try {
    await (command === "create-database" ? createDatabase(url) : checkDatabase(url));
  } catch (error) {
    const { message, error_code } = describeError(error);
    const isAbsent = error_code === "3D000" || error_code === "ENOENT";
    const fields = { message, error_code: isAbsent ? "P1003" : "P1001" };
    const line = { level: "ERROR", target: "schema_engine::logger", fields };
    process.stderr.write(`\n${JSON.stringify(line)}\n`); // the reader skips the first line
    process.exitCode = 1;
  }
}

async function serveRequests() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (!method) continue;
    // A panic of the engine does not reject a promise. Without a response the command would end as if it had succeeded.
    const answerPanic = (/** @type {unknown} */ error) => sendJsonRpcMessage({ id, ...toJsonRpcError(error) });
    process.once("uncaughtException", answerPanic);
    sendJsonRpcMessage({ id, ...(await handleJsonRpcRequest(method, params)) });
    process.off("uncaughtException", answerPanic);
  }
  process.exit(0);
}

/**
 * @param {string} method
 * @param {object} [params]
 */
async function handleJsonRpcRequest(method, params) {
  try {
    if (method === "createDatabase") return { result: { databaseName: await createDatabase(url) } };
    engine ??= loadEngine();
    const engineInstance = await engine;
    if (method === "getDatabaseVersion") return { result: await engineInstance.version() };
    const result = await Reflect.get(engineInstance, method).call(engineInstance, params);
    if (method === "diff" && result.stdout)
      sendJsonRpcMessage({ id: 0, method: "print", params: { content: result.stdout } });
    return { result: result ?? null };
  } catch (error) {
    return toJsonRpcError(error);
  }
}

/** @param {unknown} error */
function toJsonRpcError(error) {
  return { error: { code: 4466, message: "The schema engine refused.", data: describeError(error) } };
}

/** Instantiates the engine's module with its generated bindings. The package's own loader needs a bundler. */
async function loadEngine() {
  const file = new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const imports = /** @type {WebAssembly.ModuleImports} */ (/** @type {unknown} */ (glue));
  const { instance } = await WebAssembly.instantiate(await readFile(file), { "./schema_engine_bg.js": imports });
  glue.__wbg_set_wasm(instance.exports);
  Reflect.set(globalThis, "PRISMA_WASM_PANIC_REGISTRY", {
    set_message: (/** @type {string} */ text) => log(`${text}\n`),
  });
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  const paths = /** @type {string[] | undefined} */ (values.datamodels);
  const datamodels =
    paths &&
    (await Promise.all(
      paths.map(async (path) => /** @type {[string, string]} */ ([path, await readFile(path, "utf8")])),
    ));
  return glue.SchemaEngine.new({ datamodels }, log, factory);
}

/** @param {string} line */
function log(line) {
  process.stderr.write(line);
}

/** @param {object} message */
function sendJsonRpcMessage(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** @param {unknown} error */
function describeError(error) {
  const { message, code } = /** @type {{ message?: string, code?: string }} */ (error);
  const externalError = factory.errorRegistry.consumeError(
    Number(/External error id#(\d+)/.exec(message ?? "")?.[1]),
  )?.error;
  return {
    message: [message ?? String(error), externalError && String(externalError)].filter(Boolean).join("\n"),
    error_code: code,
  };
}
