/**
 * Fault K27 on the side of the server: an upload whose connection ends, or whose server is killed, after a part of its bytes. After the
 * next start no row, no blob and no temporary file is left of it, the messages that were sent have their files, and the person has the
 * whole quota again.
 */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { uploadFile as uploadFileEndpoint } from "@parley/protocol/endpoints/uploads";
import { MessageType } from "@parley/protocol/codes";
import { loadConfig } from "@parley/server/config/config";
import { runDoctor } from "@parley/server/doctor/doctor";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type TestPerson, befriend, logIn, registerPerson } from "@parley/server/testing/test-person";
import type { Report } from "./report.ts";
import { uploadFile } from "./upload-files.ts";
import { waitUntil } from "./wait-until.ts";

const MEBIBYTE = 1_048_576;
/** So large that two of them are more than the quota: a reservation that is not given back is noticed. */
const FILE_BYTES = 6 * MEBIBYTE;
const QUOTA_MB = 10;
const PARTS = [0.1, 0.5, 0.99] as const;
const WITHIN_MS = 20_000;

/** How to run it. */
export interface UnfinishedUploadsOptions {
  dataDir: string;
  /** How often each case is repeated. */
  rounds: number;
  /** What a planted fault does to the folder before it is checked. */
  damage?(dataDir: string): void;
}

/** Runs the battery. */
export async function runUnfinishedUploads({
  dataDir,
  rounds,
  damage,
}: UnfinishedUploadsOptions): Promise<Report> {
  const violations: string[] = [];
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off", UPLOAD_DAILY_MB: String(QUOTA_MB) };
  let server = await startServer(env);
  let [cuts, kills] = [0, 0];
  try {
    for (let round = 0; round < rounds; round++) {
      for (const part of PARTS) {
        for (const isKill of [false, true]) {
          const addViolation = (what: string) =>
            violations.push(`${isKill ? "killed" : "cut"} at ${part * 100} %: ${what}`);
          const [person, friend] = [await registerPerson(server.url), await registerPerson(server.url)];
          await befriend(person, friend);
          const kept = await sendFile(person, friend);
          const socket = await uploadPart(server, person, part);
          await waitUntil("the upload is under way", () =>
            leftovers(dataDir, person.id, kept).length === 0 ? "there is no trace of it" : undefined,
          );
          if (isKill) {
            server.kill("SIGKILL");
            await server.exited;
            kills += 1;
          }
          socket.destroy();
          if (isKill) server = await startServer(env);
          else cuts += 1;
          damage?.(dataDir);
          await waitUntil(
            "the upload is gone",
            () => leftovers(dataDir, person.id, kept).join(", ") || undefined,
            WITHIN_MS,
          ).catch((error: unknown) => addViolation(String(error)));
          for (const problem of await runDoctor(loadConfig({ DATA_DIR: dataDir }))) addViolation(problem);
          await checkAfterwards(server.url, person, kept, addViolation);
        }
      }
    }
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
  const done = `${cuts} uploads cut by the network and ${kills} by a killed server, at ${PARTS.map((part) => part * 100).join(", ")} %`;
  return { name: "K27 uploads end unfinished on the server", done, violations };
}

/** Sends a message with a small file, which must outlive everything. Returns its url. */
async function sendFile(from: TestPerson, to: TestPerson): Promise<string> {
  const { code, data: url } = await uploadFile(from, Buffer.from("kept"));
  if (code !== 200) throw new Error(`the upload answered ${code}`);
  const content = JSON.stringify({ name: "kept.txt", size: 4, url });
  await from.ok("sendPrivateMessage", { body: { recvId: to.id, type: MessageType.FILE, content } });
  return url;
}

/** Sends a part of an upload. Returns the open connection. */
async function uploadPart(
  { url }: ServerProcess,
  { tokens }: TestPerson,
  part: number,
): Promise<ReturnType<typeof connect>> {
  const boundary = "cut";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  // The server, or this test, ends the connection.
  socket.on("error", () => undefined);
  socket.write(
    `${uploadFileEndpoint.method} /api${uploadFileEndpoint.path} HTTP/1.1\r\nhost: x\r\n` +
      `accessToken: ${encodeURIComponent(tokens.accessToken)}\r\n` +
      `content-type: multipart/form-data; boundary=${boundary}\r\n` +
      `content-length: ${head.length + FILE_BYTES + tail.length}\r\n\r\n${head}`,
  );
  const bytes = randomBytes(Math.floor(FILE_BYTES * part));
  await new Promise<void>((resolve, reject) =>
    socket.write(bytes, (error) => (error == null ? resolve() : reject(error))),
  );
  return socket;
}

/** Rows and files of this person other than the one to keep, and temporary files. */
function leftovers(dataDir: string, userId: number, kept: string): string[] {
  const db = new Database(join(dataDir, "parley.sqlite"), { readonly: true });
  try {
    const rows = db.prepare("select url from file where userId = ? and url != ?").pluck().all(userId, kept);
    const temporary = readdirSync(join(dataDir, "files", "~incoming"));
    return [
      ...rows.map((url) => `the row of ${String(url)}`),
      ...temporary.map((name) => `~incoming/${name}`),
    ];
  } finally {
    db.close();
  }
}

/** The quota must have room for a whole file, and the message that was sent must have its file. */
async function checkAfterwards(
  url: string,
  { userName }: TestPerson,
  kept: string,
  addViolation: (what: string) => void,
): Promise<void> {
  const person = await logIn(url, userName);
  const whole = await uploadFile(person, randomBytes(FILE_BYTES));
  if (whole.code !== 200) addViolation(`the quota is not given back: ${JSON.stringify(whole)}`);
  const { status } = await fetch(`${url}${kept}`);
  if (status !== 200) addViolation(`the file of a stored message answers ${status}`);
}
