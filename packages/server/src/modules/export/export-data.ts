/** What a person gets of their own data: what they see themselves, as the calls of their client would show it. */
import { Readable } from "node:stream";
import { MessageType } from "@parley/protocol/codes";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { filesOf } from "@parley/protocol/message";
import type { Actor, ApiCall } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import type { Blobs } from "../../ports/blobs.ts";

const FILES_PREFIX = "/files/";
/** Rows that only tell clients of a change, which the changed rows show too. */
const EVENTS: readonly number[] = [MessageType.EDIT, MessageType.RECALL];

/** What reads the data of a person, all of it by the rules of what they may see. */
export interface ExportSources {
  profile(call: OwnCall): unknown;
  /** What a person has besides a profile, messages and files, by the name of its file. */
  lists: Readonly<Record<string, (call: OwnCall) => unknown>>;
  privateMessages(userId: number, language: Language): AsyncIterable<readonly PrivateMessage[]>;
  groupMessages(userId: number, language: Language): AsyncIterable<readonly GroupMessage[]>;
  notices(userId: number): AsyncIterable<readonly SystemMessage[]>;
  blobs: Pick<Blobs, "read">;
  now(): number;
}

/** The call of a client of the person. */
type OwnCall = ApiCall<undefined, undefined, undefined, Actor>;

/** A file of an export. */
export interface ExportEntry {
  name: string;
  data: Readable;
  isText: boolean;
}

/** Who exports, and in which language the server's texts are. */
export interface ExportRequest {
  userId: number;
  language: Language;
}

/** Reads everything, one file after the other; the data of one has to be read before the next is asked for. */
export async function* exportData(
  sources: ExportSources,
  { userId, language }: ExportRequest,
): AsyncGenerator<ExportEntry> {
  const { lists, privateMessages, groupMessages, notices, blobs, now } = sources;
  const time = now();
  const call = callOf(userId, language, time);
  yield json("about.json", { format: 1, createdAt: new Date(time).toISOString(), userId });
  const profile = await sources.profile(call);
  yield json("profile.json", profile);
  for (const [name, listOf] of Object.entries(lists)) yield json(name, await listOf(call));
  const urls = new Set(filesIn(profile));
  yield rows("private-messages.json", noting(privateMessages(userId, language), urls));
  yield rows("group-messages.json", noting(groupMessages(userId, language), urls));
  yield rows("notices.json", notices(userId));
  for (const url of urls) {
    const data = await blobs.read(url.slice(FILES_PREFIX.length));
    // It may have been recalled during the export.
    if (data !== undefined) yield { name: url.slice(1), data, isText: false };
  }
}

function callOf(userId: number, language: Language, now: number): OwnCall {
  return {
    params: undefined,
    query: undefined,
    body: undefined,
    actor: { userId, sessionId: "", terminal: 0, deviceNo: null, clientId: null },
    now,
    ip: "",
    isHttpsPage: false,
    language,
    upload: undefined,
    header: () => null,
    onAnswered: () => undefined,
  };
}

function json(name: string, value: unknown): ExportEntry {
  return { name, data: Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]), isText: true };
}

/** A JSON array with a row in each line. */
function rows(name: string, batches: AsyncIterable<readonly { type?: number | undefined }[]>): ExportEntry {
  const lines = async function* () {
    let separator = "[\n";
    for await (const batch of batches) {
      const shown = batch.filter(({ type }) => type === undefined || !EVENTS.includes(type));
      for (const row of shown) {
        yield Buffer.from(separator + JSON.stringify(row));
        separator = ",\n";
      }
    }
    yield Buffer.from(separator === "[\n" ? "[]\n" : "\n]\n");
  };
  return { name, data: Readable.from(lines(), { objectMode: false }), isText: true };
}

/** Notes the files of the messages that pass. */
async function* noting<M extends { type: number; content?: string | null | undefined }>(
  batches: AsyncIterable<readonly M[]>,
  urls: Set<string>,
): AsyncGenerator<readonly M[]> {
  for await (const batch of batches) {
    for (const { type, content } of batch) {
      for (const url of filesOf(type, content ?? "")) if (url.startsWith(FILES_PREFIX)) urls.add(url);
    }
    yield batch;
  }
}

/** The pictures of a profile. */
function filesIn(profile: unknown): string[] {
  const { headImage, headImageThumb } = profile as { headImage?: unknown; headImageThumb?: unknown };
  return [headImage, headImageThumb].filter(
    (url): url is string => typeof url === "string" && url.startsWith(FILES_PREFIX),
  );
}
