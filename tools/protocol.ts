// Writes what follows from a change of packages/protocol: its version and hash, the description of the HTTP API, and a line of docs/api/changes.md
// to fill in. Tests fail if it was forgotten, or if the line was not filled in.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL_HASH, PROTOCOL_VERSION } from "@parley/protocol/version";
import { repository } from "./lib/files.ts";
import { run } from "./lib/process.ts";
import {
  CHANGES_FILE,
  OPENAPI_FILE,
  VERSION_FILE,
  addChange,
  hashOfProtocol,
  nextVersion,
  openApiText,
  readVersion,
  writeVersion,
} from "./lib/protocol-files.ts";

const read = (file: string): string => readFileSync(join(repository, file), "utf8");
const write = (file: string, text: string): void => {
  if (text === read(file)) return;
  writeFileSync(join(repository, file), text);
  console.log(`wrote ${file}`);
};
const git = async (...args: string[]): Promise<string | undefined> => {
  const { code, stdout } = await run("git", args);
  return code === 0 ? stdout.trim() : undefined;
};

const tag = await git("describe", "--tags", "--abbrev=0", "--match=v[0-9]*");
const released = tag && (await git("show", `${tag}:${VERSION_FILE}`));
const before = { number: PROTOCOL_VERSION, hash: PROTOCOL_HASH };
const now = nextVersion(before, hashOfProtocol(), released ? readVersion(released) : undefined);
write(VERSION_FILE, writeVersion(read(VERSION_FILE), now));
write(OPENAPI_FILE, openApiText(now.number));
if (now.hash === before.hash) console.log("What server and clients agree on has not changed.");
else {
  write(CHANGES_FILE, addChange(read(CHANGES_FILE), now.number));
  console.log(`Version ${now.number}. Write in ${CHANGES_FILE} what changed; the line is at its end.`);
}
