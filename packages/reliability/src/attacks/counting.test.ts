/** Ids are small numbers, so anybody can count through them. What is hidden must not differ from what does not exist, whatever is called. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "@parley/server/testing/test-app";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import { examplesOf, inputWith, shapeOf } from "../endpoint-input.ts";
import { idFieldsOf } from "./foreign-ids.ts";

/** The ids that a stranger tries. */
interface Ids {
  group: number;
  person: number;
  /** Of a message, a request, a notice or a report. */
  row: number;
}

/** No group, person or row has them. */
const UNKNOWN: Ids = { group: 999_999, person: 999_999, row: 999_999 };
/** Calls that take an id of one's own, such as that of a session, are about nothing that others could hide. */
const NAMES = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
  (name) => ENDPOINTS[name].auth === "token" && idFieldsOf(name).length > 0 && name !== "endSession",
);

let server: TestApp;
let stranger: TestPerson;
let ids: Ids;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const [owner, hidden] = [await registerPerson(server.url), await registerPerson(server.url)];
  stranger = await registerPerson(server.url);
  await befriend(owner, hidden);
  for (const person of [owner, hidden]) await person.ok("setFindableBy", { query: { by: 3 } });
  const group = await makeGroup(owner, [hidden], "Hidden", { joinMode: 1, isFindable: false });
  const { id } = await owner.ok("sendGroupMessage", { body: { groupId: group, type: 0, content: "words" } });
  await owner.ok("sendPrivateMessage", { body: { recvId: hidden.id, type: 0, content: "words" } });
  ids = { group, person: hidden.id, row: id };
});
afterAll(() => server[Symbol.asyncDispose]());

function inputOf(name: EndpointName, { group, person, row }: Ids) {
  const { path, params, query, body }: Endpoint = ENDPOINTS[name];
  const isOfGroup = path.startsWith("/group/") && !path.startsWith("/group/request/");
  const isOfPerson = /^\/(?:user|friend)\//.test(path) && !path.startsWith("/friend/request/");
  const fields: Record<string, unknown> = {};
  for (const schema of [params, query, body]) {
    for (const field of Object.keys(schema === undefined ? {} : (shapeOf(schema).properties ?? {}))) {
      if (field === "memberIds") fields[field] = [person];
      else if (field === "targetId") fields[field] = group;
      else if (field === "chatType") fields[field] = "GROUP";
      else if (field === "id") fields[field] = isOfGroup ? group : isOfPerson ? person : row;
      else if (field === "ids" || field === "messageIds") fields[field] = [row];
      else if (field === "messageId" || field === "aroundId") fields[field] = row;
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

test.each(NAMES)(
  "%s answers a stranger the same for what is hidden and for what does not exist",
  async (name) => {
    const answerTo = async (given: Ids) => {
      const input = inputOf(name, given);
      const { status, envelope } = await stranger.send(
        ENDPOINTS[name],
        pathOf(ENDPOINTS[name], input),
        input.body,
      );
      return `${status} ${JSON.stringify(envelope)}`;
    };
    expect(await answerTo(ids)).toBe(await answerTo(UNKNOWN));
  },
);
