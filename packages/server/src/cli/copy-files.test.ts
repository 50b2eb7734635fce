import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { diskBlobs, openDiskBlobs } from "../adapters/blobs/disk-blobs.ts";
import { type CopyTargets, runCopy } from "./copy.ts";
import { loadConfig } from "../config/config.ts";
import { filesFolder } from "../config/data-folders.ts";
import { type S3Server, startS3Server } from "../testing/s3-server.ts";

/** More than goes into one part. */
const LARGE_BYTES = 9_000_000;
const KEYS = ["a1/notes.txt", "b2/large.bin", "c3/empty.txt"];

let dataDir: string;
let s3: S3Server;
let lines: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-files-"));
  s3 = await startS3Server();
  lines = [];
  onTestFinished(async () => {
    await s3.stop();
    await rm(dataDir, { recursive: true });
  });
  const blobs = await openDiskBlobs(filesFolder(dataDir), Date.now());
  for (const [n, bytes] of [11, LARGE_BYTES, 0].entries())
    await blobs.put(KEYS[n] ?? "", Buffer.alloc(bytes, `file ${n}`));
});

function copy(
  targets: CopyTargets = { filesToS3: true },
  env: Record<string, string> = {},
): Promise<boolean> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings;
  const config = loadConfig({
    DATA_DIR: dataDir,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    ...env,
  });
  return runCopy(config, targets, (line) => void lines.push(line));
}

const sends = () => s3.requests.filter(({ kind }) => kind.startsWith("PUT")).map(({ key }) => key);

describe("npm run admin -- copy --files-to-s3", () => {
  test("copies all files, and does not send them again when it is repeated", async () => {
    expect(await copy()).toBe(true);
    expect(s3.contents().toSorted()).toEqual(KEYS);
    expect(s3.objects.get("b2/large.bin")?.equals(Buffer.alloc(LARGE_BYTES, "file 1"))).toBe(true);
    const report = [
      expect.stringMatching(/^files\t3 files\t[0-9a-f]{32}\tsame$/),
      "All files are in parley-files: 9000011 bytes, 3 files sent now, no difference.",
    ];
    expect(lines).toEqual(report);
    const [checksum] = lines.splice(0);
    const sent = sends().length;
    expect(await copy()).toBe(true);
    expect([lines[0], sends().length]).toEqual([checksum, sent]);
    expect(lines[1]).toContain("0 files sent now");
  });

  test("goes on where it was interrupted, and replaces what is not the same there", async () => {
    s3.fault = ({ kind, key }) => (kind.startsWith("PUT") && key === "b2/large.bin" ? "refuse" : undefined);
    await expect(copy()).rejects.toThrow(/^The files were not copied completely: .*so repeat the command\.$/);
    expect(lines).toEqual([]);
    s3.fault = () => undefined;
    s3.objects.set("a1/notes.txt", Buffer.from("fake 0file "));
    s3.objects.set("d4/other.txt", Buffer.from("of somebody else"));
    expect(await copy()).toBe(true);
    expect(s3.objects.get("a1/notes.txt")).toEqual(Buffer.alloc(11, "file 0"));
    const unknown = lines.findIndex((line) => line.startsWith("parley-files has 1 other object that "));
    expect(lines[unknown + 1]).toBe("d4/other.txt");
    expect(lines.at(-1)).toMatch(/, [23] files sent now, no difference\.$/);
  });

  test("names everything that is gone from the folder since it was sent, because no server deletes it", async () => {
    const recalled = Array.from({ length: 22 }, (_, n) => `e5/${n}`);
    for (const key of recalled) s3.objects.set(key, Buffer.from("recalled"));
    expect(await copy()).toBe(true);
    expect(lines[1]).toMatch(
      /^parley-files has 22 other objects .* no server deletes them: delete them yourself\.$/,
    );
    expect(lines.slice(2, 24).toSorted()).toEqual(recalled.toSorted());
    expect(s3.objects.size).toBe(KEYS.length + 22);
  });

  test("says which files have other bytes in the bucket than in the folder", async () => {
    s3.fault = ({ kind, key }) => {
      // The bucket damages the file after it was sent.
      if (kind.startsWith("GET") && key === "a1/notes.txt") s3.objects.set(key, Buffer.from("other bytes"));
      return undefined;
    };
    expect(await copy()).toBe(false);
    expect(lines[0]).toMatch(/^files\t3 files\t[0-9a-f]{32}\tDIFFERENT: 3 files, [0-9a-f]{32}$/);
    expect(lines[1]).toBe("a1/notes.txt has other bytes in parley-files.");
    expect(await diskBlobs(filesFolder(dataDir)).stat("a1/notes.txt")).toEqual({ size: 11 });
  });

  test.each([
    [{}, {}, "copy needs --to, --files-to-s3, or both."],
    [
      { filesToS3: true },
      { S3_ENDPOINT: "", S3_BUCKET: "", S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" },
      "--files-to-s3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.",
    ],
    [{ filesToS3: true, to: "mysql://host/parley" }, {}, /^--to must be a URL such as postgres/],
  ])("%j with %j is refused before anything is copied", async (targets, env, sentence) => {
    await expect(copy(targets, env)).rejects.toThrow(sentence);
    expect(s3.requests).toEqual([]);
  });
});
