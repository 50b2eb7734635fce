import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Blobs } from "../../ports/blobs.ts";

/** A fresh, empty storage, and every key that lies in it as its maker sees it. */
export interface BlobsSubject {
  blobs: Blobs;
  /** Names of everything stored, leftovers included. */
  contents(): Promise<string[]>;
  dispose(): Promise<void>;
}

/** Every rule of `ports/blobs.ts`, to be run against each adapter inside a `describe`. */
export function blobsContract(make: () => Promise<BlobsSubject>): void {
  let subject: BlobsSubject;
  let blobs: Blobs;
  beforeEach(async () => {
    subject = await make();
    blobs = subject.blobs;
  });
  afterEach(() => subject.dispose());

  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const text = async (key: string, range?: { start: number; end: number }) => {
    const stream = await blobs.read(key, range);
    return stream && (await buffer(stream)).toString("latin1");
  };

  test("what was put is read back byte by byte, from a buffer and from a stream", async () => {
    expect(await blobs.put("a1/photo.png", bytes)).toEqual({ size: 256 });
    expect(await blobs.put("a2/photo.png", Readable.from([bytes, Buffer.from("more")]))).toEqual({
      size: 260,
    });
    expect(await text("a1/photo.png")).toBe(bytes.toString("latin1"));
    expect(await text("a2/photo.png")).toBe(`${bytes.toString("latin1")}more`);
    expect(await blobs.stat("a2/photo.png")).toEqual({ size: 260 });
  });

  test("an empty blob is a blob", async () => {
    expect(await blobs.put("e/empty", Buffer.alloc(0))).toEqual({ size: 0 });
    expect(await blobs.stat("e/empty")).toEqual({ size: 0 });
    expect(await text("e/empty")).toBe("");
  });

  test("a range gives its bytes, both ends included", async () => {
    await blobs.put("r/range", Buffer.from("0123456789"));
    expect(await text("r/range", { start: 0, end: 0 })).toBe("0");
    expect(await text("r/range", { start: 3, end: 6 })).toBe("3456");
    expect(await text("r/range", { start: 8, end: 99 })).toBe("89");
  });

  test("an unknown key answers undefined, and deleting it does nothing", async () => {
    expect(await blobs.stat("no/where")).toBeUndefined();
    expect(await blobs.read("no/where")).toBeUndefined();
    await blobs.delete("no/where");
  });

  test("a deleted blob is gone, its neighbour stays", async () => {
    await blobs.put("d/one", bytes);
    await blobs.put("d/two", bytes);
    await blobs.delete("d/one");
    expect(await blobs.stat("d/one")).toBeUndefined();
    expect(await blobs.stat("d/two")).toEqual({ size: 256 });
    await blobs.delete("d/two");
    expect(await subject.contents()).toEqual([]);
  });

  test("a cut upload leaves nothing", async () => {
    const cut = Readable.from(
      (async function* () {
        yield bytes;
        throw new Error("connection lost");
      })(),
    );
    await expect(blobs.put("c/cut", cut)).rejects.toThrow("connection lost");
    expect(await blobs.stat("c/cut")).toBeUndefined();
    expect(await subject.contents()).toEqual([]);
  });

  test("a cut upload leaves the blob that had the key before", async () => {
    await blobs.put("c/kept", Buffer.from("old"));
    const cut = new Readable({
      read() {
        this.push("new");
        this.destroy(new Error("connection lost"));
      },
    });
    await expect(blobs.put("c/kept", cut)).rejects.toThrow("connection lost");
    expect(await text("c/kept")).toBe("old");
  });

  test("a key is two names with one slash; everything else is refused and finds nothing", async () => {
    const others = [
      "",
      "a",
      "/",
      "a/",
      "/a",
      "a/b/c",
      "../a",
      "a/..",
      "./a",
      "a/.",
      "a\\b/c",
      "a/b c",
      "a/\0",
      "ä/b",
      "a/b\n",
    ];
    for (const key of others) {
      await expect(blobs.put(key, bytes), key).rejects.toThrow("not a blob key");
      expect(await blobs.stat(key), key).toBeUndefined();
      expect(await blobs.read(key), key).toBeUndefined();
      await blobs.delete(key);
    }
    expect(await subject.contents()).toEqual([]);
    await blobs.put("A-z_0.9/..x", bytes);
    expect(await subject.contents()).toEqual(["A-z_0.9/..x"]);
  });
}
