/** Ids are small numbers, so anybody can count through them. Hidden things must not differ from those that do not exist, whatever is called. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { JoinMode, MessageType } from "@parley/protocol/codes";
import { type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { sendAdminCommand } from "@parley/server/admin-socket";
import { type TestApp, createTestApp } from "@parley/server/testing/test-app";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import type { TestSocket } from "@parley/server/testing/test-socket";
import { examplesOf, inputWith, shapeOf } from "../endpoint-input.ts";
import { idFieldsOf } from "./foreign-ids.ts";

/** The ids that a stranger tries. */
interface Ids {
  group: number;
  person: number;
  groupMessage: number;
  privateMessage: number;
  systemMessage: number;
  groupRequest: number;
  friendRequest: number;
}

const NOTHING = 999_999;
/** No group, person or row has them. */
const UNKNOWN: Ids = {
  group: NOTHING,
  person: NOTHING,
  groupMessage: NOTHING,
  privateMessage: NOTHING,
  systemMessage: NOTHING,
  groupRequest: NOTHING,
  friendRequest: NOTHING,
};
/** Calls that take an id of one's own, such as that of a session, are about nothing that others could hide. */
const NAMES = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
  (name) => ENDPOINTS[name].auth === "token" && idFieldsOf(name).length > 0 && name !== "endSession",
);
/** What can be reported, of which a report names one. */
const REPORTED = ["userId", "privateMessageId", "groupMessageId"];
/** Each call, and of those that choose between ids the one that is tried. */
const CALLS = NAMES.flatMap((name): [title: string, name: EndpointName, target?: string][] =>
  name === "reportAbuse" ? REPORTED.map((target) => [`${name} of ${target}`, name, target]) : [[name, name]],
);

let server: TestApp;
let stranger: TestPerson;
let ids: Ids;
const sockets: TestSocket[] = [];
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const { url } = server;
  const [owner, hidden] = [await registerPerson(url), await registerPerson(url)];
  const [member, called] = [await registerPerson(url), await registerPerson(url)];
  const applicant = await registerPerson(url);
  stranger = await registerPerson(url);
  await befriend(owner, hidden);
  const group = await makeGroup(owner, [hidden, member, called], "Hidden", {
    joinMode: JoinMode.APPROVAL,
    isFindable: true,
  });
  const { id: groupRequest } = await applicant.ok("applyGroup", { body: { groupId: group } });
  const { id: friendRequest } = await applicant.ok("applyFriend", { body: { friendId: hidden.id } });
  // From now on nobody finds them, though whoever knew the group could join it.
  await owner.ok("setGroupSettings", {
    body: { groupId: group, joinMode: JoinMode.FREE, isFindable: false },
  });
  for (const person of [owner, hidden]) await person.ok("setFindableBy", { query: { by: 3 } });
  const text = { type: 0, content: "words" } as const;
  const { id: groupMessage } = await owner.ok("sendGroupMessage", { body: { groupId: group, ...text } });
  const { id: privateMessage } = await owner.ok("sendPrivateMessage", {
    body: { recvId: hidden.id, ...text },
  });
  for (const person of [owner, hidden, member, called, stranger]) sockets.push(await person.connect());
  const words = { title: "words", text: "words", html: null, link: null };
  await sendAdminCommand(server.dataDir, { name: "notice", ...words, to: [owner.userName] });
  const notice = await sockets[0]?.nextOf(MessageType.SYSTEM_MESSAGE);
  const systemMessage = notice?.data?.id ?? 0;
  await owner.ok("setupPrivateCall", { query: { uid: hidden.id, mode: "voice" } });
  await member.ok("setupGroupCall", { body: { groupId: group, userInfos: [{ id: called.id }] } });
  ids = {
    group,
    person: hidden.id,
    groupMessage,
    privateMessage,
    systemMessage,
    groupRequest,
    friendRequest,
  };
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await server[Symbol.asyncDispose]();
});

/** The rows that the calls below a path name, the most special path first. */
const ROWS: readonly [path: string, row: keyof Ids][] = [
  ["/friend/request/", "friendRequest"],
  ["/group/request/", "groupRequest"],
  ["/message/private/", "privateMessage"],
  ["/message/group/", "groupMessage"],
  ["/message/system/", "systemMessage"],
  ["/group/", "group"],
  ["/friend/", "person"],
  ["/user/", "person"],
];

function inputOf(name: EndpointName, target: string | undefined, given: Ids) {
  const { path, params, query, body }: Endpoint = ENDPOINTS[name];
  const { group, person } = given;
  const row = ROWS.find(([start]) => path.startsWith(start));
  const rowId = row && given[row[1]];
  const fields: Record<string, unknown> = {};
  for (const schema of [params, query, body]) {
    for (const field of Object.keys(schema === undefined ? {} : (shapeOf(schema).properties ?? {}))) {
      if (target !== undefined && REPORTED.includes(field) && field !== target) continue;
      if (field === "memberIds") fields[field] = [person];
      else if (field === "targetId") fields[field] = group;
      else if (field === "chatType") fields[field] = "GROUP";
      else if (field === "userId") fields[field] = person;
      else if (field === "privateMessageId") fields[field] = given.privateMessage;
      else if (field === "groupMessageId") fields[field] = given.groupMessage;
      else if (field === "ids") fields[field] = [rowId];
      else if (["id", "messageId", "aroundId", "quoteMessageId"].includes(field)) fields[field] = rowId;
    }
  }
  return inputWith(name, fields, {
    ...examplesOf(group, person),
    title: "new",
    reason: "spam",
    text: "new",
    name: "new",
    isMuted: true,
    msgRemind: 1,
    remarkNickName: "new",
    starts: "0,86400000",
    maxSeqNo: 1,
    q: "words",
  });
}

test.each(CALLS)(
  "%s answers a stranger the same for what is hidden and for what does not exist",
  async (_title, name, target) => {
    const answerTo = async (given: Ids) => {
      const input = inputOf(name, target, given);
      const { status, envelope } = await stranger.send(
        ENDPOINTS[name],
        pathOf(ENDPOINTS[name], input),
        input.body,
      );
      // Else nobody has looked for what the ids name.
      expect(envelope.key).not.toBe("request.malformed");
      return `${status} ${JSON.stringify(envelope)}`;
    };
    expect(await answerTo(ids)).toBe(await answerTo(UNKNOWN));
  },
);
