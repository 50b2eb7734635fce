/** Ids are small numbers, so anybody can count through them. Hidden things must not differ from those that do not exist, whatever is called. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { JoinMode, MessageType } from "@parley/protocol/codes";
import { pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { sendAdminCommand } from "@parley/server/runtime/admin-socket";
import { type TestApp, createTestApp } from "@parley/server/testing/test-app";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import type { TestSocket } from "@parley/server/testing/test-socket";
import { inputWith } from "@parley/server/testing/endpoint-input";
import type { Ids } from "@parley/server/testing/id-fields";
import { type Target, fieldsOf, targetsOf, textOf } from "./derive-attacks.ts";

const NOTHING = 999_999;
/** No group, person or row has them. */
const UNKNOWN: Ids = {
  group: NOTHING,
  person: NOTHING,
  groupMessage: NOTHING,
  privateMessage: NOTHING,
  notice: NOTHING,
  groupRequest: NOTHING,
  friendRequest: NOTHING,
};
/** Each call, once for each choice of ids that it may be given. */
const CALLS = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) =>
  ENDPOINTS[name].auth === "token"
    ? targetsOf(ENDPOINTS[name]).map((targets) => ({ name, what: textOf(targets), targets }))
    : [],
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
  const pushed = await sockets[0]?.nextOf(MessageType.SYSTEM_MESSAGE);
  const notice = pushed?.data?.id ?? 0;
  await owner.ok("setupPrivateCall", { query: { uid: hidden.id, mode: "voice" } });
  await member.ok("setupGroupCall", { body: { groupId: group, userInfos: [{ id: called.id }] } });
  ids = {
    group,
    person: hidden.id,
    groupMessage,
    privateMessage,
    notice,
    groupRequest,
    friendRequest,
  };
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await server[Symbol.asyncDispose]();
});

function inputOf(name: EndpointName, targets: readonly Target[], given: Ids) {
  const fields = { ...fieldsOf(targets, given), q: "words" };
  const chatType = targets.some(({ thing }) => thing === "group") ? "GROUP" : "PRIVATE";
  return inputWith(ENDPOINTS[name], "targetId" in fields ? { ...fields, chatType } : fields, given);
}

test.each(CALLS)(
  "$name with $what answers a stranger the same for what is hidden and for what does not exist",
  async ({ name, targets }) => {
    const answerTo = async (given: Ids) => {
      const input = inputOf(name, targets, given);
      const { status, envelope } = await stranger.send(
        ENDPOINTS[name],
        pathOf(ENDPOINTS[name], input),
        input.body,
      );
      // Else nobody has looked for what the ids name.
      expect(envelope.key).not.toBe("request.malformed");
      // The answer may name what was asked for.
      const asked = `"id":${Object.values(input.params ?? {}).join()}`;
      return `${status} ${JSON.stringify(envelope).replace(asked, '"id":0')}`;
    };
    expect(await answerTo(ids)).toBe(await answerTo(UNKNOWN));
  },
);
