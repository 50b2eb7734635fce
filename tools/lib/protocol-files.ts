import { createHash } from "node:crypto";
import { protocolDefinition } from "@parley/protocol/definition";
import { openApiDocument } from "@parley/protocol/openapi";

/** The files that follow from the protocol. */
export const VERSION_FILE = "packages/protocol/src/version.ts";
export const CHANGES_FILE = "docs/api/changes.md";
export const OPENAPI_FILE = "docs/api/openapi.json";

/** Stands in a line of the changes that nobody has written yet. */
export const TO_FILL_IN = "FILL IN";

interface Version {
  readonly number: number;
  readonly hash: string;
}

/** The hash of the protocol as the code describes it. */
export function hashOfProtocol(): string {
  return createHash("sha256").update(JSON.stringify(protocolDefinition())).digest("hex").slice(0, 16);
}

const NUMBER = /(?<=PROTOCOL_VERSION = )\d+/;
const HASH = /(?<=PROTOCOL_HASH = ")\w+/;

/** What a text of `version.ts` says. */
export function readVersion(source: string): Version {
  return { number: Number(NUMBER.exec(source)?.[0]), hash: HASH.exec(source)?.[0] ?? "" };
}

/** The text of `version.ts` with another version. */
export function writeVersion(source: string, { number, hash }: Version): string {
  return source.replace(NUMBER, String(number)).replace(HASH, hash);
}

/**
 * The version of a protocol that has this hash. A number that a release has describes that release for ever, so the first change after it
 * gets the next one; further changes before the next release share it.
 */
export function nextVersion(current: Version, hash: string, released: Version | undefined): Version {
  const isTaken = released?.number === current.number && released.hash !== hash;
  return { number: isTaken ? current.number + 1 : current.number, hash };
}

/** The page of changes with a line to fill in for a change within a version, and with a row of the version. One such line is enough. */
export function addChange(page: string, version: number): string {
  if (page.includes(TO_FILL_IN)) return page;
  const line = `Within version ${version}: ${TO_FILL_IN} what changed, and what an older client or server sees.\n`;
  const [last = ""] = page.match(/^\| \d+ .*\|$/gm)?.slice(-1) ?? [];
  if (readCells(last)[0] === String(version)) return page + line;
  const cells = [String(version), `see "Within version ${version}" below`];
  const row = cells.map((cell, index) => cell.padEnd(readCells(last, false)[index]?.length ?? 0));
  return `${page.replace(last, () => `${last}\n| ${row.join(" | ")} |`)}\n${line}`;
}

function readCells(row: string, isTrimmed = true): string[] {
  const cells = row.slice(2, -2).split(" | ");
  return isTrimmed ? cells.map((cell) => cell.trim()) : cells;
}

/** The text of the description of the HTTP API. */
export function openApiText(version: number): string {
  return `${JSON.stringify(openApiDocument(version), null, 2)}\n`;
}
