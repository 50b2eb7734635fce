import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { checkNightlyBackups, createNightlyBackups } from "./nightly-backup.ts";
import { eventually } from "../testing/eventually.ts";
import { createTestApp } from "../testing/test-app.ts";
import { registerPerson } from "../testing/test-person.ts";

const HOUR_MS = 3_600_000;

let folder: string;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "parley-nightly-"));
  folder = join(root, "backups");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

function nightly(makeBackup = (file: string) => writeFile(file, "").then(() => "made")) {
  let time = Date.UTC(2026, 0, 30, 12);
  const errors: unknown[] = [];
  const settings = { folder, minute: 210, keep: 3 };
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (error: unknown) => void errors.push(error),
  };
  const backups = createNightlyBackups({ settings, isEncrypted: false, now: () => time, log, makeBackup });
  return {
    errors,
    check: () => checkNightlyBackups(settings, time),
    async advanceTo(day: number, hour: number, minute = 0) {
      time = Date.UTC(2026, 0, day, hour, minute);
      await backups.sweep();
      return (await readdir(folder)).toSorted();
    },
  };
}

async function leavePart(name: string, writtenAt: number): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, "");
  await utimes(path, new Date(writtenAt), new Date(writtenAt));
}

test("a backup is made once after the set time, and only the newest are kept", async () => {
  const { advanceTo, check } = nightly();
  // None is there yet, so the one of the night before is made up for.
  expect(await advanceTo(30, 12)).toEqual(["parley-20260130T120000Z.tar"]);
  await writeFile(join(folder, "other.tar"), "");
  await leavePart("parley-20260130T130000Z.tar.part", Date.UTC(2026, 0, 31, 2));
  // Another server may be writing it.
  await leavePart("parley-20260131T032900Z.tar.part", Date.UTC(2026, 0, 31, 3, 29));
  expect(await advanceTo(31, 3, 29)).toHaveLength(4);
  expect(await advanceTo(31, 3, 30)).toEqual([
    "other.tar",
    "parley-20260130T120000Z.tar",
    "parley-20260131T032900Z.tar.part",
    "parley-20260131T033000Z.tar",
  ]);
  expect(check()).toEqual([]);
  expect(await advanceTo(31, 23)).toHaveLength(4);
  expect(check()).toEqual([
    `Left over: 1 interrupted backup in ${folder}. The next nightly backup removes them.`,
  ]);
  await advanceTo(32, 4);
  expect(check()).toEqual([]);
  expect(await advanceTo(33, 4)).toEqual([
    "other.tar",
    "parley-20260131T033000Z.tar",
    "parley-20260201T040000Z.tar",
    "parley-20260202T040000Z.tar",
  ]);
});

test("an archive of a clock that was ahead stops no backup, replaces none, and is seen by the doctor", async () => {
  const { advanceTo, check } = nightly();
  await advanceTo(30, 12);
  const early = "parley-20270130T033000Z.tar";
  await writeFile(join(folder, early), "");
  // As far ahead as clocks of different places.
  await writeFile(join(folder, "parley-20260130T140000Z.tar"), "");
  expect(check()).toEqual([
    `${join(folder, early)} has the time of a clock that was ahead, so it does not count as a backup: rename or delete it.`,
  ]);
  await advanceTo(31, 4);
  expect(await advanceTo(32, 4)).toEqual([
    "parley-20260130T140000Z.tar",
    "parley-20260131T040000Z.tar",
    "parley-20260201T040000Z.tar",
    early,
  ]);
});

test("a failure is logged, tried again after an hour, removes nothing, and is seen by the doctor", async () => {
  let isBroken = false;
  const { advanceTo, check, errors } = nightly(async (file) => {
    if (isBroken) throw new Error("no room");
    await writeFile(file, "");
    return "made";
  });
  const first = await advanceTo(30, 12);
  isBroken = true;
  expect(await advanceTo(31, 4)).toEqual(first);
  expect(await advanceTo(31, 4, 30)).toEqual(first);
  expect(errors).toHaveLength(1);
  expect(check()).toEqual([]);
  expect(await advanceTo(31, 10)).toEqual(first);
  const failure = { err: new Error("no room") };
  expect(errors).toEqual([failure, failure]);
  expect(check()).toEqual([
    `The newest nightly backup in ${folder} is of 2026-01-30T12:00:00.000Z; the log of the server says why.`,
  ]);
  isBroken = false;
  expect(await advanceTo(31, 11)).toHaveLength(2);
  expect(check()).toEqual([]);
});

test("a server with BACKUP makes an archive in a process of its own", async () => {
  await using app = await createTestApp({
    env: { BACKUP: `${folder},at=00:00,keep=2`, BACKUP_PASSPHRASE: "a phrase" },
  });
  await registerPerson(app.url);
  app.clock.advance(HOUR_MS);
  app.app.sweep();
  await eventually(async () =>
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^parley-\d{8}T\d{6}Z\.tar\.age$/)]),
  );
  expect(app.logs).toEqual([]);
});

test("the setting BACKUP is a folder, with a time and a number if wanted", () => {
  const read = (value: string) => loadConfig({ BACKUP: value }).BACKUP;
  expect(read("/backups")).toEqual({ folder: "/backups", minute: 210, keep: 7 });
  expect(read("/backups, keep=30, at=23:05")).toEqual({ folder: "/backups", minute: 1_385, keep: 30 });
  for (const wrong of ["at=03:30", "/backups,at=24:00", "/backups,keep=0", "/backups,often"])
    expect(() => read(wrong)).toThrow("BACKUP must be such as /var/backups/parley,at=03:30,keep=7.");
});
