// Proves from how much free space on the consultant is told that a disk is nearly full.
import { describe, expect, test } from "vitest";
import { diskAdvice } from "../../app/dashboard/system/disk-advice.ts";
import { lowSpaceWarnings } from "../../app/documents/low-space-warnings.ts";

const GB = 1_000_000_000;
const GIB = 1024 ** 3;
const space = (freeBytes: number, totalBytes: number) => ({ freeBytes, totalBytes });

describe("the system status advises a larger disk", () => {
  test.each([
    ["with 1 of 10 GB free", space(GB, 10 * GB), true],
    ["with 3 of 100 GB free", space(3 * GB, 100 * GB), true],
    ["with a byte less than 2 GiB free", space(2 * GIB - 1, 10 * GB), true],
    ["with a byte less than 5 % of 100 GB free", space(5 * GB - 1, 100 * GB), true],
    ["with nothing free", space(0, 10 * GB), true],
    ["but not with 2 GiB of 10 GB free", space(2 * GIB, 10 * GB), false],
    ["but not with 3 of 10 GB free", space(3 * GB, 10 * GB), false],
    ["but not with 5 of 100 GB free", space(5 * GB, 100 * GB), false],
  ])("%s", (_, disk, isAdvised) => {
    const advice =
      "When the disk is full, nothing can be saved. Ask the person who installed this site for a larger one.";
    expect(diskAdvice(disk)).toEqual(isAdvised ? [advice] : []);
  });
});

describe("the dashboard warns of little space for documents", () => {
  const warning = (percent: number) => [
    `Only ${percent} % of the space for documents is free. Ask the person who installed this site for more.`,
  ];

  test.each([
    ["with nothing free", space(0, 10 * GB), warning(0)],
    ["with 4.5 of 100 GB free", space(4.5 * GB, 100 * GB), warning(4)],
    ["with a byte less than a tenth free", space(GB - 1, 10 * GB), warning(9)],
    ["but not with a tenth free", space(GB, 10 * GB), []],
    ["but not in a storage of unknown size", space(0, 0), []],
  ])("%s", (_, storage, warnings) => {
    expect(lowSpaceWarnings(storage)).toEqual(warnings);
  });
});
