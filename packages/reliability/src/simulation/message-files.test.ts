/**
 * The files that messages name, under calls of many people at the same time on two nodes over one store: sends, messages sent on, recalls
 * and removed members, in an order that a seed decides.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPrng } from "@parley/core/testing/prng";
import { MessageType } from "@parley/protocol/codes";
import { createMemoryBus } from "@parley/server/adapters/bus/memory-bus";
import { createMemoryPresence } from "@parley/server/adapters/presence/memory-presence";
import { createFakeTokens, fakePasswordHasher } from "./fakes.ts";
import { flawsOfNamedFiles } from "./file-problems.ts";
import { createNodeApp } from "./node-app.ts";
import {
  GROUP_IDS,
  START,
  callNode,
  copyStoreTemplate,
  createStoreTemplate,
  openStoreIn,
} from "./store-template.ts";

const SEEDS = 15;
const CALLS = 120;
const CALLS_AT_ONCE = 6;
const FILES = 12;
const PEOPLE = 5;

let template: string;
beforeAll(async () => void (template = await createStoreTemplate()));
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** The problems of the files of a database, one sentence each. */
function problemsOf(path: string): string[] {
  const db = new Database(path, { readonly: true });
  try {
    return flawsOfNamedFiles(db);
  } finally {
    db.close();
  }
}

async function run(
  seed: number,
): Promise<{ problems: string[]; sent: number; recalled: number; purged: number }> {
  const folder = await copyStoreTemplate(template);
  const fail = (error: unknown) => {
    throw error instanceof Error ? error : new Error(JSON.stringify(error));
  };
  const store = await openStoreIn(folder, fail);
  try {
    const random = createPrng(seed);
    const [bus, presence, tokens] = [createMemoryBus(fail), createMemoryPresence(), createFakeTokens()];
    const parts = {
      store,
      bus,
      presence,
      tokens,
      passwordHasher: fakePasswordHasher,
      now: () => START,
      after: () => undefined,
      onError: fail,
    };
    const nodes = [createNodeApp(parts), createNodeApp(parts)] as const;
    const accessTokens: string[] = [];
    for (let n = 1; n <= PEOPLE; n++) {
      const body = { terminal: 2 as const, userName: `user${n}`, password: "password" };
      accessTokens.push((await callNode(nodes[0], "login", { body })).accessToken);
    }
    const urls = Array.from({ length: FILES }, (_, n) => `/files/${seed}/${n}.bin`);
    await store.write(async (tx) => {
      for (const url of urls) {
        await tx.reserveFile({ url, userId: 1, createdAt: START }, { least: 1, most: 1 }, null);
        await tx.completeFiles([{ url, bytes: 1, sha256: "0".repeat(64) }]);
      }
    });
    const sent: { isGroup: boolean; id: number; sender: number }[] = [];
    let [recalled, purged] = [0, 0];

    async function act(): Promise<void> {
      const sender = 1 + random.below(PEOPLE);
      const [app, token] = [random.pick(nodes), accessTokens[sender - 1]];
      const roll = random.below(100);
      const own = sent.filter((message) => message.sender === sender);
      if (roll < 40 && own.length > 0) {
        const { isGroup, id } = random.pick(own);
        await callNode(
          app,
          isGroup ? "recallGroupMessage" : "recallPrivateMessage",
          { params: { id } },
          token,
        );
        recalled += 1;
      } else if (roll < 45) {
        const groupId = random.pick(GROUP_IDS);
        const owner = groupId === 1 ? 1 : 2;
        const body = { groupId, userIds: [sender], deleteMessages: true };
        await callNode(app, "removeGroupMembers", { body }, accessTokens[owner - 1]);
        purged += 1;
      } else {
        const url = random.pick(urls);
        const isPicture = random.isTrueWithProbability(0.5);
        const picture = { originUrl: url, thumbUrl: random.pick(urls), width: 1, height: 1 };
        const content = JSON.stringify(isPicture ? picture : { name: "a", size: 1, url });
        const message = { type: isPicture ? MessageType.IMAGE : MessageType.FILE, content };
        const isGroup = random.isTrueWithProbability(0.5);
        const { id } = isGroup
          ? await callNode(
              app,
              "sendGroupMessage",
              { body: { ...message, groupId: random.pick(GROUP_IDS) } },
              token,
            )
          : await callNode(
              app,
              "sendPrivateMessage",
              { body: { ...message, recvId: (sender % PEOPLE) + 1 } },
              token,
            );
        sent.push({ isGroup, id, sender });
      }
    }

    const problems: string[] = [];
    for (let done = 0; done < CALLS && problems.length === 0; done += CALLS_AT_ONCE) {
      // Refusals are expected: files that are gone, members who were removed, messages that were recalled.
      const results = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, act));
      for (const result of results) {
        const reason = result.status === "rejected" ? String(result.reason) : "";
        if (reason !== "" && !reason.includes(" answered ")) problems.push(reason);
      }
      problems.push(...problemsOf(join(folder, "parley.sqlite")));
    }
    return { problems, sent: sent.length, recalled, purged };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("L54 L56 after every call, messages that are shown name kept files, and every kept file is named", async () => {
  const totals = { sent: 0, recalled: 0, purged: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { problems, sent, recalled, purged } = await run(seed);
    expect(problems, `seed ${seed}`).toEqual([]);
    totals.sent += sent;
    totals.recalled += recalled;
    totals.purged += purged;
  }
  // Each kind of call has met the others.
  expect(Math.min(totals.sent / 200, totals.recalled / 100, totals.purged / 10)).toBeGreaterThan(1);
}, 300_000);
