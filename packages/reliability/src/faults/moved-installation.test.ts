import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { runAdmin } from "@parley/server/testing/admin-process";
import { findPostgres, startCluster } from "@parley/server/testing/postgres-cluster";
import { startServer } from "@parley/server/testing/server-process";
import { makeGroup, registerFriends, sendText } from "@parley/server/testing/test-person";
import {
  findGapsBelowCursor,
  startDevice,
  stopAllDevices,
  visibleStateOf,
  waitUntilIdle,
} from "./client-device.ts";
import { waitUntil } from "./wait-until.ts";

/** How much of a chat is in memory depends on what a client had stored before. */
const withoutMessages = ({ chats, ...state }: ReturnType<typeof visibleStateOf>) => ({
  ...state,
  chats: Object.entries(chats).map(([key, { messages: _, ...chat }]) => [key, chat]),
});

describe.skipIf(findPostgres() === undefined)("an installation that moves to PostgreSQL", () => {
  test("clients go on at the same address with what they have: what they missed and what they had not sent arrives once", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-moved-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const cluster = await startCluster();
    onTestFinished(() => cluster.dispose());
    onTestFinished(stopAllDevices);
    const before = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
    onTestFinished(() => before.kill("SIGKILL"));
    const [ann, bob] = await registerFriends(before.url);
    const groupId = await makeGroup(ann, [bob]);
    for (let n = 0; n < 30; n++) await sendText(ann, bob, `early ${n}`);
    const closed = await startDevice(bob, { name: "closed during the move" });
    const open = await startDevice(ann, { name: "open during the move" });
    await Promise.all([closed, open].map(waitUntilIdle));
    closed.stop();
    const missed = await sendText(ann, bob, "missed");
    const body = { groupId, type: 0, content: "missed in the group" };
    const missedInGroup = await ann.ok("sendGroupMessage", { body });
    const recalled = await sendText(ann, bob, "recalled");
    await ann.ok("recallPrivateMessage", { params: { id: recalled.id } });
    before.kill("SIGTERM");
    expect(await before.exited).toBe(0);
    open.client.chats.sendText(`PRIVATE:${bob.id}`, "written while no server ran");

    const url = cluster.url("postgres");
    expect(await runAdmin({ DATA_DIR: dataDir }, "copy", "--to", url)).toMatchObject({ code: 0, err: "" });
    const { port } = new URL(before.url);
    const env = { DATA_DIR: dataDir, DATABASE_URL: url, PORT: port, RATE_LIMITS: "off" };
    const after = await startServer(env);
    onTestFinished(() => after.kill("SIGKILL"));
    expect(after.url).toBe(before.url);
    const reopened = await startDevice(bob, { name: "opened after the move", storage: closed.storage });
    const fresh = await startDevice(bob, { name: "without a local copy" });
    const textsOf = async () => {
      const rows = await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
      return rows.filter(({ type }) => type === 0).map(({ content }) => content);
    };
    await waitUntil("the unsent message is stored", async () =>
      (await textsOf()).includes("written while no server ran") ? undefined : "it is not",
    );
    await Promise.all([reopened, fresh, open].map(waitUntilIdle));

    const early = Array.from({ length: 30 }, (_, n) => `early ${n}`);
    expect(await textsOf()).toEqual([...early, "missed", "written while no server ran"]);
    const epochsOf = (device: typeof open) =>
      device.connections.flatMap(({ frames }) =>
        frames.flatMap((frame) => /"epoch":"([^"]+)"/.exec(frame)?.[1] ?? []),
      );
    const epochs = [closed, open, reopened, fresh].flatMap(epochsOf);
    expect(epochs.length).toBeGreaterThanOrEqual(5);
    expect(new Set(epochs).size).toBe(1);
    expect(withoutMessages(visibleStateOf(reopened))).toEqual(withoutMessages(visibleStateOf(fresh)));
    const stored = await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
    // A recall changes the message that it names and is kept as no row of its own.
    const ids = stored.filter(({ type }) => type !== MessageType.RECALL).map(({ id }) => id);
    expect(ids).toContain(missed.id);
    const inGroups = await bob.ok("loadGroupMessages", { query: { minId: 0 } });
    const group = inGroups.map(({ id }) => id);
    expect(group).toContain(missedInGroup.id);
    expect(await findGapsBelowCursor(reopened, { private: ids, group })).toEqual([]);
    after.kill("SIGTERM");
    expect(await after.exited).toBe(0);
  });
});
