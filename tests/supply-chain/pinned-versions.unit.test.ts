// Holds that workflows and the Dockerfile pin actions to a commit and images to a digest.
import { describe, expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

const ACTION = /^[\w.-]+(?:\/[\w.-]+)+@[\da-f]{40} # v\d+(?:\.\d+)*$/;
const CONTAINER_ACTION = /^docker:\/\/\S+@sha256:[\da-f]{64}$/;
const IMAGE = /^\S+@sha256:[\da-f]{64}$/;

/** The actions of a workflow that are not named by a commit with its version beside it; ours in the repository may be. */
function unpinnedActions(workflow: string): string[] {
  const named = [...workflow.matchAll(/\buses["']?\s*:\s*([^\n]*?)\s*$/gm)].map(([, name = ""]) => name);
  return named.filter((name) => !name.startsWith("./") && !ACTION.test(name) && !CONTAINER_ACTION.test(name));
}

/** The images of a Dockerfile, to build on or copy from, that are neither named by digest nor an earlier stage. */
function unpinnedImages(dockerfile: string): string[] {
  const stages = new Set(["scratch"]);
  const found: string[] = [];
  for (const line of dockerfile.split("\n")) {
    const [, base, stage] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    const image = base ?? /^\s*(?:COPY|ADD|RUN)\s.*?(?:--|,)from=([^\s,]+)/i.exec(line)?.[1];
    if (image && !stages.has(image) && !IMAGE.test(image)) found.push(image);
    if (stage) stages.add(stage);
  }
  return found;
}

const COMMIT = "11bd71901bbe5b1630ceea73d27597364c9af683";
const DIGEST = `sha256:${"0e".repeat(32)}`;

test("every action of the workflows is pinned to a commit", () => {
  const workflows = filesBelow(".github").filter((file) => /\.ya?ml$/.test(file));
  expect(workflows.flatMap((file) => unpinnedActions(read(file)))).toEqual([]);
  expect(workflows.map(read).join("").match(/uses:/g)?.length).toBeGreaterThan(3);
});

test("every image of the Dockerfile is pinned to the same digest", () => {
  const dockerfile = read("Dockerfile");
  expect(unpinnedImages(dockerfile)).toEqual([]);
  expect(new Set(dockerfile.match(/@sha256:\w+/g))).toHaveProperty("size", 1);
});

describe("an unpinned action or image is found", () => {
  test.each([
    ["uses: actions/checkout@v4"],
    ["- uses: actions/checkout@main"],
    ["uses: actions/checkout"],
    [`uses: actions/checkout@${COMMIT}`],
    [`uses: actions/checkout@${COMMIT.slice(0, 7)} # v4.2.2`],
    [`uses: actions/checkout@v4 # ${COMMIT}`],
    [`uses: "actions/checkout@v4"`],
    [`{ "uses": actions/checkout@v4`],
    ["uses: docker://alpine:3.20"],
    ["uses: other/repository/.github/workflows/build.yml@main"],
  ])("%s", (line) => {
    expect(unpinnedActions(`steps:\n  ${line}\n`)).toHaveLength(1);
  });

  test.each([
    ["FROM node:24-slim"],
    ["from node:24-slim as build"],
    ["FROM node"],
    ["FROM --platform=linux/amd64 node:24-slim"],
    [`FROM node:24-slim@${DIGEST.slice(0, -1)}`],
    ["FROM build"],
    [`FROM node@${DIGEST} AS build\nCOPY --from=nginx:latest /etc /etc`],
    [`FROM node@${DIGEST}\nRUN --mount=type=bind,from=alpine:3,target=/x true`],
  ])("%s", (text) => {
    expect(unpinnedImages(text)).toHaveLength(1);
  });

  test("but a pinned or local one is not", () => {
    expect(unpinnedActions(`uses: ./.github/actions/own\n- uses: actions/checkout@${COMMIT} # v4.2.2\n`)).toEqual([]);
    expect(unpinnedImages(`FROM node:24@${DIGEST} AS build\nFROM build AS last\nCOPY --from=build /a /b\n`)).toEqual(
      [],
    );
  });
});
