import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { blackPicture, plainPicture } from "../testing/pictures.ts";
import { bodyOf, startUpload, uploadRaw } from "../testing/raw-upload.ts";
import { type ServerProcess, startServer } from "../testing/server-process.ts";
import { eventually } from "../testing/eventually.ts";
import { registerPerson } from "../testing/test-person.ts";

let dataDir: string;
let server: ServerProcess;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-pictures-"));
  server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off", PASSWORD_COST: "low" });
});
afterEach(async () => {
  server.kill("SIGKILL");
  await server.exited;
  await rm(dataDir, { recursive: true, force: true });
});

/** The processes for pictures: their ids, by what they are for. */
async function processes(): Promise<{ small: number[]; large: number[] }> {
  const found: { small: number[]; large: number[] } = { small: [], large: [] };
  const ids = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
  for (const id of ids.split(" ").map(Number)) {
    const command = id === 0 ? "" : await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
    for (const kind of ["small", "large"] as const) if (command.includes(`\0${kind}\0`)) found[kind].push(id);
  }
  return found;
}

async function isAlive(id: number): Promise<boolean> {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  // A process that has ended and is still in the list is a zombie.
  return stat !== "" && !/\) [ZX] /.test(stat);
}

test.each(["SIGTERM", "SIGKILL"] as const)(
  "L27 the processes for pictures end with the server, which ends by %s in the midst of one",
  async (signal) => {
    expect(await processes()).toEqual({ small: [], large: [] });
    const person = await registerPerson(server.url);
    await uploadRaw(person, "/image/upload", bodyOf(await plainPicture(8, 8)));
    const upload = startUpload(person, "/image/upload");
    upload.request.end(bodyOf(await blackPicture(7_000)));
    await eventually(async () => expect((await processes()).large).toHaveLength(1));
    const { small, large } = await processes();
    expect(small).toHaveLength(1);
    server.kill(signal);
    expect(await server.exited).toBe(signal === "SIGTERM" ? 0 : null);
    for (const id of [...small, ...large])
      await eventually(async () => expect(await isAlive(id)).toBe(false));
  },
);

test("L27 a picture that crashes its process is refused as broken, and the server goes on", async () => {
  const person = await registerPerson(server.url);
  await uploadRaw(person, "/image/upload", bodyOf(await blackPicture(2_000)));
  const [id = 0] = (await processes()).large;
  const before = await cpuTime(id);
  const upload = startUpload(person, "/image/upload");
  upload.request.end(bodyOf(await blackPicture(7_000)));
  // While it has no picture, it uses nothing.
  await eventually(async () => expect(await cpuTime(id)).toBeGreaterThan(before + 5));
  process.kill(id, "SIGSEGV");
  expect((await upload.answer).envelope.key).toBe("upload.broken");
  expect(server.output()).toMatch(/"detail":"SIGSEGV.*a picture has crashed/);
  const next = await uploadRaw(person, "/image/upload", bodyOf(await blackPicture(3_000)));
  expect(next.envelope.data).toMatchObject({ width: 3_000 });
});

/** Hundredths of a second that a process has used. */
async function cpuTime(id: number): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, "utf8");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return user + system;
}

test("L25 pictures whose senders hang up leave their places", async () => {
  const people = [];
  for (let n = 0; n < 4; n++) people.push(await registerPerson(server.url));
  const body = bodyOf(await blackPicture(7_000));
  const uploads = people.map((person) => startUpload(person, "/image/upload"));
  for (const { request } of uploads) request.end(body);
  await eventually(async () => expect((await processes()).large.length).toBeGreaterThan(0));
  for (const { request } of uploads) request.destroy();
  // A process that had finished its picture would wait for the next one.
  await eventually(async () => expect((await processes()).large).toEqual([]));
  const [person] = people;
  if (person === undefined) throw new Error("nobody is there");
  const next = await uploadRaw(person, "/image/upload", bodyOf(await blackPicture(3_000)));
  expect(next.envelope.data).toMatchObject({ width: 3_000 });
});
