import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROTOCOL_HASH, PROTOCOL_VERSION } from "@parley/protocol/version";
import { repository } from "./lib/files.ts";
import {
  CHANGES_FILE,
  OPENAPI_FILE,
  TO_FILL_IN,
  addChange,
  hashOfProtocol,
  nextVersion,
  openApiText,
  readVersion,
  writeVersion,
} from "./lib/protocol-files.ts";

const read = (file: string): string => readFileSync(join(repository, file), "utf8");

describe("the protocol of the repository", () => {
  test("has the hash of version.ts (else run: npm run protocol)", () => {
    expect(PROTOCOL_HASH, "the protocol changed; run: npm run protocol").toBe(hashOfProtocol());
  });

  test("is described by openapi.json (else run: npm run protocol)", () => {
    expect(
      read(OPENAPI_FILE) === openApiText(PROTOCOL_VERSION),
      "openapi.json is old; run: npm run protocol",
    ).toBe(true);
  });

  test("has no change without a description (else replace FILL IN in docs/api/changes.md)", () => {
    expect(read(CHANGES_FILE)).not.toContain(TO_FILL_IN);
  });
});

test("a version is read and written", () => {
  const source = 'export const PROTOCOL_VERSION = 7;\n\nexport const PROTOCOL_HASH = "a1";\n';
  expect(readVersion(source)).toEqual({ number: 7, hash: "a1" });
  const written = writeVersion(source, { number: 8, hash: "b2" });
  expect(written).toBe('export const PROTOCOL_VERSION = 8;\n\nexport const PROTOCOL_HASH = "b2";\n');
});

test.each([
  ["before the first release", undefined, 7],
  ["after a release of this version with another hash", { number: 7, hash: "a1" }, 8],
  ["after a release of an earlier version", { number: 6, hash: "a1" }, 7],
  ["after a release of the same protocol", { number: 7, hash: "b2" }, 7],
])("the number of a changed protocol %s", (_, released, number) => {
  expect(nextVersion({ number: 7, hash: "a1" }, "b2", released)).toEqual({ number, hash: "b2" });
});

describe("a change gets a line to fill in", () => {
  const page =
    "# Changes\n\n| version | change |\n| ------- | ------ |\n| 7       | more   |\n\nWithin 7: a.\n";

  test("within the version", () => {
    expect(addChange(page, 7)).toMatch(/\nWithin 7: a\.\nWithin version 7: FILL IN what changed.*\n$/);
  });

  test("once", () => {
    expect(addChange(addChange(page, 7), 7)).toBe(addChange(page, 7));
  });

  test("and a row if the version is new", () => {
    const added = addChange(page, 8);
    expect(added).toContain('| 7       | more   |\n| 8       | see "Within version 8" below |\n\nWithin 7');
    expect(added).toMatch(/\n\nWithin version 8: FILL IN/);
  });
});
