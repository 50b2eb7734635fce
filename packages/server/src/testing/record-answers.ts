/**
 * Records the calls of clients of this version and the server's answers, for `packages/protocol/src/recorded-answers.test.ts`: with them,
 * later versions test that they still understand both. Run it once for each release: `npx node packages/server/src/testing/record-answers.ts`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CallInput, type Endpoint, isWriting } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { sendAdminCommand } from "../runtime/admin-socket.ts";
import { createApp } from "../runtime/app.ts";
import { loadConfig } from "../config/config.ts";
import { inputWith } from "./endpoint-input.ts";
import type { Ids } from "./id-fields.ts";
import { befriend, makeGroup, registerPerson, sendText, type TestPerson } from "./test-person.ts";

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const FOLDER = pathOf("../../../protocol/src/recorded");
const { version } = JSON.parse(readFileSync(pathOf("../../package.json"), "utf8")) as { version: string };

const recorded: Record<string, object> = {};

/** Makes a call and records it. Of several calls of an endpoint the last one counts. */
async function record<N extends EndpointName>(
  person: TestPerson,
  name: N,
  input?: CallInput<(typeof ENDPOINTS)[N]>,
): Promise<unknown> {
  const call = person.ok.bind(person) as (name: N, input: unknown) => Promise<unknown>;
  const answer = await call(name, input);
  const { params, query, body } = (input ?? {}) as Record<"params" | "query" | "body", object | undefined>;
  recorded[name] = {
    ...(params !== undefined && { params: asTexts(params) }),
    ...(query !== undefined && { query: asTexts(query) }),
    ...(body !== undefined && { body }),
    answer: answer ?? null,
  };
  return answer;
}

/** Paths and queries consist of text. */
function asTexts(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

const dataDir = mkdtempSync(join(tmpdir(), "parley-record-"));
const config = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, PASSWORD_COST: "low", LOG_LEVEL: "warn" };
const app = createApp(loadConfig(config));
await app.start();
const url = `http://127.0.0.1:${app.port}`;
const register = (userName: string, nickName: string) => registerPerson(url, { userName, nickName });
const ann = await register("ann", "Ann");
const ben = await register("ben", "Ben");
const cleo = await register("cleo", "Cleo");
const socket = await ann.connect();

// Messages that are read, edited, recalled and deleted, in a private chat and in a group.
await befriend(ann, ben);
const groupId = await makeGroup(ann, [ben, cleo], "Group");
await record(ann, "modifyGroup", { body: { id: groupId, notice: "Welcome" } });
await sendText(ann, ben, "first");
const toRecall = await sendText(ann, ben, "to recall");
const toDelete = await sendText(ben, ann, "to delete");
const privateBody = { recvId: ben.id, type: 0, content: "answer", tmpId: "t1", quoteMessageId: toDelete.id };
await record(ann, "sendPrivateMessage", { body: privateBody });
await record(ben, "readPrivateMessages", { query: { friendId: ann.id } });
await record(ann, "readPrivateMessages", { query: { friendId: ben.id } });
await record(ann, "maxReadedId", { query: { friendId: ben.id } });
await record(ann, "recallPrivateMessage", { params: { id: toRecall.id } });
await record(ann, "deletePrivateMessages", { body: { friendId: ben.id, ids: [toDelete.id] } });
await record(ann, "privateHistory", { query: { friendId: ben.id } });
const groupBody = {
  groupId,
  type: 0,
  content: "all of you",
  tmpId: "t2",
  atUserIds: [ben.id],
  receipt: true,
};
const { id: groupMessageId } = await ann.ok("sendGroupMessage", { body: groupBody });
await record(ann, "sendGroupMessage", { body: groupBody });
await record(ben, "readGroupMessages", { query: { groupId, messageId: groupMessageId } });
await record(ann, "findReadedUsers", { query: { groupId, messageId: groupMessageId } });
await record(ben, "setReaction", { body: { id: groupMessageId, key: "👍", on: true } });
await record(ben, "tellTyping", { body: { type: "GROUP", targetId: groupId, what: "text" } });
await record(ann, "listReactions", { query: { id: groupMessageId, key: "👍" } });
const poll = { options: ["Noodles", "Rice"], max: 1, secret: false, hidden: false, addable: true };
const { id: pollId } = await ann.ok("sendGroupMessage", {
  body: { groupId, type: 0, content: "Lunch?", poll },
});
await record(ben, "setVotes", { body: { id: pollId, options: [1] } });
await record(ann, "listVoters", { query: { id: pollId, option: 1 } });
await record(ben, "addPollOption", { body: { id: pollId, text: "Soup" } });
const list = { kind: "signUp" as const, options: [], max: 1, secret: false, hidden: false };
const { id: listId } = await ann.ok("sendGroupMessage", {
  body: { groupId, type: 0, content: "Cake?", poll: list },
});
await record(ben, "setSignUpLine", { body: { id: listId, text: "2 portions" } });
await record(ann, "closePoll", { body: { id: pollId } });
await record(ann, "setPin", { body: { id: groupMessageId, on: true } });
await record(ben, "groupPins", { query: { groupId } });
await record(ben, "privatePins", { query: { friendId: ann.id } });
await record(ann, "setSaved", { body: { id: groupMessageId, note: "for Monday", tags: ["work"] } });
await record(ann, "listSaved", { query: {} });
await ann.ok("setSaved", { body: { id: toDelete.id + 1, note: "", tags: [] } });
await record(ann, "removeSaved", { params: { id: toDelete.id + 1 } });
const { id: ofCleo } = await cleo.ok("sendGroupMessage", { body: { groupId, type: 0, content: "spam" } });
await record(ann, "deleteGroupMessages", { body: { groupId, ids: [ofCleo] } });
await record(ann, "groupHistory", { query: { groupId } });
await record(ann, "searchMessages", { query: { q: "first" } });
await record(ann, "loadFirstChats", { query: { n: 50 } });

// What a person has set, and what others ask of them.
await record(ann, "updateFriendRemark", { body: { friendId: ben.id, remarkNickName: "Benny" } });
await record(ann, "setFriendTop", { body: { friendId: ben.id, isTop: true } });
await record(ann, "setFriendMsgRemind", { body: { friendId: ben.id, msgRemind: 0 } });
await record(ann, "setChatPrefs", {
  body: { type: "GROUP", targetId: groupId, set: { unreadMark: 7, archived: 8 } },
});
await record(ann, "setGroupTop", { body: { groupId, isTop: true } });
await record(ann, "setGroupMsgRemind", { body: { groupId, msgRemind: 1 } });
await record(ann, "muteGroupMembers", { body: { groupId, userIds: [cleo.id], isMuted: true } });
const dora = await register("dora", "Dora");
await record(dora, "applyFriend", { body: { friendId: ann.id, remark: "Hello" } });
await record(ann, "setGroupSettings", {
  body: { groupId, inviteRole: 1, editRole: 2, attrRole: 2, joinApproval: true },
});
await record(dora, "applyGroup", { body: { groupId, remark: "Please" } });
await record(ann, "addToBlacklist", { query: { userId: cleo.id } });
await sendAdminCommand(dataDir, {
  name: "notice",
  title: "Notice",
  text: "Of the server",
  html: null,
  link: null,
  to: ["ann"],
});
const notice = await socket.nextOf(53);
await record(ann, "findUsersByName", { query: { name: "ben" } });
await record(ann, "findGroupsByName", { query: { name: "Group" } });

// Every other read, with examples. None takes the id of a request.
const ids: Ids = {
  group: groupId,
  person: ben.id,
  privateMessage: toRecall.id,
  groupMessage: groupMessageId,
  notice: notice.data?.id ?? 0,
  groupRequest: 0,
  friendRequest: 0,
};
for (const [name, definition] of Object.entries<Endpoint>(ENDPOINTS)) {
  if (name in recorded || isWriting(definition) || definition.auth === "admin") continue;
  await record<EndpointName>(ann, name as EndpointName, inputWith(definition, {}, ids) as never);
}

// The change feed last, with something in each of its fields.
await record(ann, "readSystemMessages", { query: { maxSeqNo: 1 } });
const { id: request } = (await ann.ok("listFriendRequests"))[0] ?? { id: 0 };
await record(ann, "approveFriendRequest", { query: { id: request } });
await ben.ok("sendGroupMessage", { body: { groupId, type: 0, content: "noise" } });
await record(ann, "removeGroupMembers", { body: { groupId, userIds: [ben.id], deleteMessages: true } });
await record(ann, "loadChanges", { query: { since: "0", extrasSince: 0 } });
await record(cleo, "flushAllMessages");
const { cleared } = await cleo.ok("loadChanges", { query: {} });
const feed = recorded["loadChanges"] as { answer: object };
feed.answer = { ...feed.answer, cleared };
await record(ann, "logout");
socket.close();
await app.stop();
rmSync(dataDir, { recursive: true });

mkdirSync(FOLDER, { recursive: true });
const file = join(FOLDER, `${version}.json`);
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`wrote ${file}: ${Object.keys(recorded).length} calls`);
