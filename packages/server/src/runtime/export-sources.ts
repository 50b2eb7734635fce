/** What reads the data of one person for an export, in a server and on the command line. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SAVED_MAX } from "@parley/protocol/limits";
import type { SystemMessage } from "@parley/protocol/message";
import { noRateLimiter } from "../adapters/rate-limiter/memory-rate-limiter.ts";
import { zipOf } from "../adapters/archive/zip.ts";
import { AdminError } from "../api/admin-error.ts";
import type { Language } from "../api/language.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { createProfile } from "../modules/account/profile.ts";
import { createBlacklist } from "../modules/contacts/blacklist.ts";
import { createFriendRequests } from "../modules/contacts/friend-requests.ts";
import { createFriends } from "../modules/contacts/friends.ts";
import { type ExportSources, exportData } from "../modules/export/export-data.ts";
import { createGroupQueries } from "../modules/groups/group-queries.ts";
import type { ChatStrategy, MessageOf } from "../modules/messages/chat-strategy.ts";
import { PULL_BATCH_ROWS } from "../modules/messages/pull-messages.ts";
import { createChats } from "./node.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Bus } from "../ports/bus.ts";
import type { Presence } from "../ports/presence.ts";
import type { ChatKind } from "../ports/stored-message.ts";
import type { Store } from "../ports/store.ts";
import { systemMessage } from "../presenters/message-presenter.ts";

/** What an export needs. */
export interface ExportDeps {
  store: Store;
  bus: Bus;
  presence: Presence;
  delivery: Delivery;
  blobs: Pick<Blobs, "read">;
  defaultLanguage: Language;
  now(): number;
}

/** Exports of people's own data. */
export interface Exports {
  /** The archive of a person. Nothing of it is in memory as a whole. */
  archiveOf(userId: number, language: Language): Readable;
  /** Writes the archive of a person to a new file that only its owner may read. Throws `AdminError`. */
  writeArchive(userId: number, path: string): Promise<void>;
}

export function createExports(deps: ExportDeps): Exports {
  const { defaultLanguage } = deps;
  const sources = sourcesOf(deps);
  const archiveOf = (userId: number, language: Language) => zipOf(exportData(sources, { userId, language }));
  return {
    archiveOf,
    async writeArchive(userId, path) {
      const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
      try {
        await pipeline(archiveOf(userId, defaultLanguage), file);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code === "EEXIST") {
          const problem = `${path} exists already; give another name.`;
          throw new AdminError("request.malformed", problem, { field: "file", problem });
        }
        await rm(path, { force: true });
        throw error;
      }
    },
  };
}

function sourcesOf(deps: ExportDeps): ExportSources {
  const { store, now, blobs } = deps;
  const { privateChats, groupChats } = createChats(deps);
  // Only handlers that read are used, so there is nobody to notify.
  const idle = { ...deps, rateLimiter: noRateLimiter, parted: async () => undefined };
  return {
    profile: createProfile({ ...idle, notifyGroups: async () => undefined }).self,
    lists: {
      "sessions.json": async (call) =>
        (await store.listSessions(call.actor.userId, call.now)).map(
          ({ terminal, device, os, browser, lastSeenAt: lastSeen, address }) => ({
            terminal,
            device,
            os,
            browser,
            lastSeen,
            address,
          }),
        ),
      "friends.json": createFriends(idle).listFriends,
      "friend-requests.json": createFriendRequests(idle).listFriendRequests,
      "blocked-people.json": createBlacklist(idle).listBlacklist,
      "groups.json": createGroupQueries(idle).listGroups,
      "chat-settings.json": ({ actor }) => store.listChatPrefs(actor.userId),
      "saved-messages.json": async ({ actor }) => {
        const { entries } = await store.listSaved(actor.userId, Number.MAX_SAFE_INTEGER, SAVED_MAX);
        // The messages themselves are in the files of their chats.
        return entries.map(({ id, saved }) => ({ id, ...saved }));
      },
    },
    privateMessages: (userId, language) => everyMessage(privateChats, userId, language),
    groupMessages: (userId, language) => everyMessage(groupChats, userId, language),
    notices: (userId) => everyNotice(store, userId),
    blobs,
    now,
  };
}

/** All messages of all chats of this kind that the person sees. */
async function* everyMessage<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  userId: number,
  language: Language,
): AsyncGenerator<MessageOf<Kind>[]> {
  const window = { minId: 0, overlapMs: 0, notBefore: 0, firstMax: Number.MAX_SAFE_INTEGER };
  yield* (await chats.pull(userId, window, language)).batches;
}

async function* everyNotice(
  store: Pick<Store, "listSystem" | "systemReadPosition">,
  userId: number,
): AsyncGenerator<SystemMessage[]> {
  const position = await store.systemReadPosition(userId);
  for (let after = 0; ;) {
    const rows = await store.listSystem(userId, after, PULL_BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => systemMessage(row, position));
    after = last.seqNo;
  }
}
