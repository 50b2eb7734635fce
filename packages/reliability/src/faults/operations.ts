/** Every write of the API as one call that a client repeats if no answer came. */
import type { TokenPair } from "@parley/protocol/entities";
import type { Envelope, ErrorKey } from "@parley/protocol/envelope";
import type { Failpoint } from "@parley/server/ports/failpoints";
import { PASSWORD, type TestPerson, befriend, request } from "@parley/server/testing/test-person";
import type { Scenario } from "./scenario.ts";

/** One write, with what the batteries need to know about it. */
export interface Operation {
  name: string;
  /** Creates what the write needs. The result, such as the id of a request, is passed to `perform`. */
  before?(scenario: Scenario): Promise<number | void>;
  perform(scenario: Scenario, preparedId: number): Promise<Envelope>;
  /** The error of a repetition. Left out: it succeeds like the first time. */
  repeat?: ErrorKey;
  /** A send: all repetitions with a tmpId return the same row. */
  isSend?: true;
  /** A repetition has an effect. */
  isNonIdempotent?: true;
  /** Failpoints that it does not pass. */
  skippedFailpoints?: readonly Failpoint[];
  /** An additional check of the final state. */
  check?(scenario: Scenario, answer: Envelope): Promise<void>;
}

const NOT_PUBLISHED: readonly Failpoint[] = [
  "beforePublish",
  "afterPublish",
  "beforePushSelf",
  "beforePushPeer",
];
const NOT_PUSHED_TO_SELF: readonly Failpoint[] = ["beforePushSelf"];
const NOT_PUSHED_TO_PEERS: readonly Failpoint[] = ["beforePushPeer"];

const answer = async (call: Promise<{ envelope: Envelope }>): Promise<Envelope> => (await call).envelope;

/** Accepts friend requests of this person automatically, which is not the default. */
async function approveAutomatically(person: TestPerson): Promise<void> {
  await person.ok("setManualApprove", { query: { enabled: false } });
}

async function requestFriendship({ ann, dan }: Scenario): Promise<number> {
  return (await dan.ok("applyFriend", { body: { friendId: ann.id, remark: "hello" } })).id;
}

async function requireApproval({ ann, groupId }: Scenario): Promise<void> {
  await ann.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
}

async function applyToGroup(scenario: Scenario): Promise<number> {
  await requireApproval(scenario);
  const { dan, groupId } = scenario;
  return (await dan.ok("applyGroup", { body: { groupId, remark: "let me in" } })).id;
}

type PrivateSend = Partial<{ type: number; content: string; quoteMessageId: number }>;
const sendPrivate = ({ ann, bob, tag }: Scenario, more: PrivateSend = {}) =>
  answer(
    ann.call("sendPrivateMessage", {
      body: { recvId: bob.id, type: 0, content: "new", tmpId: `private ${tag}`, ...more },
    }),
  );
const sendGroup = (
  { ann, groupId, tag }: Scenario,
  more: PrivateSend & { receipt?: boolean; atUserIds?: number[] } = {},
) =>
  answer(
    ann.call("sendGroupMessage", {
      body: { groupId, type: 0, content: "new", tmpId: `group ${tag}`, ...more },
    }),
  );

const messages: Operation[] = [
  { name: "private send", isSend: true, perform: (scenario) => sendPrivate(scenario) },
  { name: "group send", isSend: true, perform: (scenario) => sendGroup(scenario) },
  {
    name: "private quote",
    isSend: true,
    perform: (scenario) => sendPrivate(scenario, { quoteMessageId: scenario.private.theirs }),
  },
  {
    name: "group quote with receipt and mention",
    isSend: true,
    perform: (scenario) =>
      sendGroup(scenario, {
        quoteMessageId: scenario.group.theirs,
        receipt: true,
        atUserIds: [scenario.bob.id],
      }),
  },
  {
    name: "private edit",
    isSend: true,
    perform: (scenario) =>
      sendPrivate(scenario, { type: 7, content: "edited", quoteMessageId: scenario.private.mine }),
  },
  {
    name: "group edit",
    isSend: true,
    perform: (scenario) =>
      sendGroup(scenario, { type: 7, content: "edited", quoteMessageId: scenario.group.mine }),
  },
  {
    name: "message to oneself",
    isSend: true,
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, tag }) =>
      answer(
        ann.call("sendPrivateMessage", {
          body: { recvId: ann.id, type: 0, content: "note", tmpId: `note ${tag}` },
        }),
      ),
  },
  {
    name: "private recall",
    perform: ({ ann, private: { mine } }) =>
      answer(ann.call("recallPrivateMessage", { params: { id: mine } })),
  },
  {
    name: "group recall of a member's message",
    perform: ({ ann, group: { theirs } }) =>
      answer(ann.call("recallGroupMessage", { params: { id: theirs } })),
  },
  {
    name: "private read",
    perform: ({ ann, bob }) => answer(ann.call("readPrivateMessages", { query: { friendId: bob.id } })),
  },
  {
    name: "group read with receipt",
    perform: ({ ann, groupId }) => answer(ann.call("readGroupMessages", { query: { groupId } })),
  },
  {
    name: "system read",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    before: async (scenario) => void (await requestFriendship(scenario)),
    perform: ({ ann }) => answer(ann.call("readSystemMessages", { query: { maxSeqNo: 1 } })),
  },
  {
    name: "private delete for me",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, bob, private: { mine, theirs } }) =>
      answer(ann.call("deletePrivateMessages", { body: { friendId: bob.id, ids: [mine, theirs] } })),
  },
  {
    name: "group delete for me",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, groupId, group: { mine, theirs } }) =>
      answer(ann.call("deleteGroupMessages", { body: { groupId, ids: [mine, theirs] } })),
  },
  {
    name: "clear everything",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann }) => answer(ann.call("flushAllMessages")),
  },
];

const groups: Operation[] = [
  {
    name: "create group",
    perform: ({ ann, bob, cat }) =>
      answer(
        ann.call("createGroup", { body: { tmpId: "made", name: "second", memberIds: [bob.id, cat.id] } }),
      ),
  },
  {
    name: "rename group",
    perform: ({ ann, groupId }) =>
      answer(ann.call("modifyGroup", { body: { id: groupId, name: "renamed", notice: "read this" } })),
  },
  {
    name: "group settings",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann, groupId }) =>
      answer(ann.call("setGroupSettings", { body: { groupId, inviteRole: 2, joinApproval: true } })),
  },
  {
    name: "invite",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    before: ({ ann, dan }) => befriend(ann, dan),
    perform: ({ ann, dan, groupId }) =>
      answer(ann.call("inviteToGroup", { body: { groupId, friendIds: [dan.id] } })),
  },
  {
    name: "invite for approval",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    async before(scenario) {
      await requireApproval(scenario);
      await befriend(scenario.bob, scenario.dan);
    },
    perform: ({ bob, dan, groupId }) =>
      answer(bob.call("inviteToGroup", { body: { groupId, friendIds: [dan.id] } })),
  },
  {
    name: "join group",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "group.already",
    perform: ({ dan, groupId }) => answer(dan.call("applyGroup", { body: { groupId } })),
  },
  {
    name: "ask to join",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    before: requireApproval,
    repeat: "group.requestPending",
    perform: ({ dan, groupId }) => answer(dan.call("applyGroup", { body: { groupId, remark: "let me in" } })),
  },
  {
    name: "approve joining",
    before: applyToGroup,
    repeat: "group.requestHandled",
    perform: ({ ann }, id) => answer(ann.call("approveGroupRequest", { query: { id } })),
  },
  {
    name: "reject joining",
    before: applyToGroup,
    repeat: "group.requestHandled",
    perform: ({ ann }, id) => answer(ann.call("rejectGroupRequest", { query: { id } })),
  },
  {
    name: "remove member with messages",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann, bob, groupId }) =>
      answer(ann.call("removeGroupMembers", { body: { groupId, userIds: [bob.id], deleteMessages: true } })),
  },
  {
    name: "mute member",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann, bob, groupId }) =>
      answer(ann.call("muteGroupMembers", { body: { groupId, userIds: [bob.id], isMuted: true } })),
  },
  {
    name: "mute all",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann, groupId }) => answer(ann.call("muteGroup", { body: { id: groupId, isMuted: true } })),
  },
  {
    name: "make admin",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann, bob, groupId }) =>
      answer(ann.call("addGroupManagers", { body: { groupId, userIds: [bob.id] } })),
  },
  {
    name: "remove admin",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    before: async ({ ann, bob, groupId }) =>
      void (await ann.ok("addGroupManagers", { body: { groupId, userIds: [bob.id] } })),
    perform: ({ ann, bob, groupId }) =>
      answer(ann.call("removeGroupManagers", { body: { groupId, userIds: [bob.id] } })),
  },
  {
    name: "transfer group",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "group.noRight",
    perform: ({ ann, bob, groupId }) =>
      answer(ann.call("transferGroup", { body: { groupId, userId: bob.id } })),
  },
  {
    name: "quit group",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "group.notMember",
    perform: ({ bob, groupId }) => answer(bob.call("quitGroup", { params: { id: groupId } })),
  },
  {
    name: "dissolve group",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "group.dissolved",
    perform: ({ ann, groupId }) => answer(ann.call("dissolveGroup", { params: { id: groupId } })),
  },
  {
    name: "group alerts",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, groupId }) => answer(ann.call("setGroupMsgRemind", { body: { groupId, msgRemind: 2 } })),
  },
  {
    name: "pin group",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, groupId }) => answer(ann.call("setGroupTop", { body: { groupId, isTop: true } })),
  },
];

const people: Operation[] = [
  {
    name: "add friend",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    before: ({ dan }) => approveAutomatically(dan),
    repeat: "friend.already",
    perform: ({ ann, dan }) => answer(ann.call("applyFriend", { body: { friendId: dan.id } })),
  },
  {
    name: "ask to be friends",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "friend.requestPending",
    perform: ({ ann, dan }) =>
      answer(ann.call("applyFriend", { body: { friendId: dan.id, remark: "it is me" } })),
  },
  {
    name: "approve friend",
    before: requestFriendship,
    repeat: "friend.requestHandled",
    perform: ({ ann }, id) => answer(ann.call("approveFriendRequest", { query: { id } })),
  },
  {
    name: "reject friend",
    before: requestFriendship,
    repeat: "friend.requestHandled",
    perform: ({ ann }, id) => answer(ann.call("rejectFriendRequest", { query: { id } })),
  },
  {
    name: "take back friend request",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    before: requestFriendship,
    repeat: "friend.requestHandled",
    perform: ({ dan }, id) => answer(dan.call("recallFriendRequest", { query: { id } })),
  },
  {
    name: "delete friend",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "friend.notFriend",
    perform: ({ ann, bob }) => answer(ann.call("deleteFriend", { params: { id: bob.id } })),
  },
  {
    name: "remark of a friend",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, bob }) =>
      answer(ann.call("updateFriendRemark", { body: { friendId: bob.id, remarkNickName: "Bobby" } })),
  },
  {
    name: "pin friend",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, bob }) => answer(ann.call("setFriendTop", { body: { friendId: bob.id, isTop: true } })),
  },
  {
    name: "mute friend",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, bob }) =>
      answer(ann.call("setFriendMsgRemind", { body: { friendId: bob.id, msgRemind: 0 } })),
  },
  {
    name: "block",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    perform: ({ ann, bob }) => answer(ann.call("addToBlacklist", { query: { userId: bob.id } })),
  },
  {
    name: "unblock",
    skippedFailpoints: NOT_PUSHED_TO_PEERS,
    before: async ({ ann, bob }) => void (await ann.ok("addToBlacklist", { query: { userId: bob.id } })),
    perform: ({ ann, bob }) => answer(ann.call("removeFromBlacklist", { query: { userId: bob.id } })),
  },
];

const accounts: Operation[] = [
  {
    name: "register",
    skippedFailpoints: NOT_PUBLISHED,
    repeat: "register.userNameTaken",
    perform: ({ url, tag }) =>
      answer(
        post(url, "/register", { userName: `eve${tag}`, nickName: "eve", password: PASSWORD, terminal: 2 }),
      ),
    async check({ url, tag }) {
      const login = { userName: `eve${tag}`, password: PASSWORD, terminal: 2 };
      expectOk(await answer(post(url, "/login", login)), "the login of the registered person");
    },
  },
  {
    name: "profile",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    perform: ({ ann }) =>
      answer(ann.call("updateUser", { body: { id: ann.id, nickName: "anna", signature: "hi" } })),
  },
  {
    name: "approval setting",
    skippedFailpoints: NOT_PUBLISHED,
    perform: ({ ann }) => answer(ann.call("setManualApprove", { query: { enabled: false } })),
  },
  {
    name: "change password",
    skippedFailpoints: NOT_PUBLISHED,
    repeat: "password.oldWrong",
    perform: ({ ann }) =>
      answer(ann.call("modifyPwd", { body: { oldPassword: PASSWORD, newPassword: "password-2" } })),
    async check({ url, ann }) {
      const login = { userName: ann.userName, password: "password-2", terminal: 2 };
      expectOk(await answer(post(url, "/login", login)), "the login with the new password");
    },
  },
  {
    name: "log in",
    skippedFailpoints: NOT_PUBLISHED,
    isNonIdempotent: true,
    perform: ({ url, ann }) =>
      answer(post(url, "/login", { userName: ann.userName, password: PASSWORD, terminal: 1 })),
    check: checkPair,
  },
  {
    name: "refresh token",
    skippedFailpoints: NOT_PUBLISHED,
    perform: ({ url, ann }) => answer(refresh(url, ann.tokens.refreshToken)),
    check: checkPair,
  },
  {
    name: "end one session",
    skippedFailpoints: NOT_PUBLISHED,
    before: logInOnPhone,
    perform: ({ ann, phoneSession }) => answer(ann.call("endSession", { query: { id: phoneSession } })),
  },
  {
    name: "end all other sessions",
    skippedFailpoints: NOT_PUBLISHED,
    before: logInOnPhone,
    perform: ({ ann }) => answer(ann.call("endSession", { query: {} })),
  },
  {
    name: "log out",
    skippedFailpoints: NOT_PUBLISHED,
    repeat: "auth.tokenInvalid",
    perform: ({ ann }) => answer(ann.call("logout")),
  },
  {
    name: "close account",
    skippedFailpoints: NOT_PUSHED_TO_SELF,
    repeat: "auth.tokenInvalid",
    perform: ({ bob }) => answer(bob.call("unregister")),
  },
  {
    name: "upload",
    skippedFailpoints: NOT_PUBLISHED,
    isNonIdempotent: true,
    perform: ({ ann }) => upload(ann),
    async check({ url }, envelope) {
      const { originUrl, thumbUrl } = envelope.data as { originUrl: string; thumbUrl: string };
      for (const path of [originUrl, thumbUrl]) {
        const { status } = await fetch(`${url}${path}`);
        if (status !== 200) throw new Error(`${path} was uploaded and answers ${status}`);
      }
    },
  },
];

/** All operations. */
export const OPERATIONS: readonly Operation[] = [...messages, ...groups, ...people, ...accounts];

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function upload({ url, tokens }: TestPerson): Promise<Envelope> {
  const body = new FormData();
  body.set("file", new Blob([PIXEL]), "a.png");
  const headers = { accessToken: tokens.accessToken };
  return answer(request(url, "/image/upload", { method: "POST", body, headers }));
}

function post(url: string, path: string, body: object) {
  const headers = { "content-type": "application/json" };
  return request(url, path, { method: "POST", headers, body: JSON.stringify(body) });
}

function refresh(url: string, refreshToken: string) {
  return request(url, "/refreshToken", { method: "PUT", headers: { refreshToken } });
}

async function logInOnPhone(scenario: Scenario): Promise<void> {
  await scenario.ann.elsewhere({ terminal: 1 });
  scenario.phoneSession = (await scenario.ann.ok("listSessions")).find(({ current }) => !current)?.id;
}

/** Checks that both tokens of the last answer, and the tokens from before, are valid. */
async function checkPair({ url, ann }: Scenario, envelope: Envelope): Promise<void> {
  const { accessToken, refreshToken } = envelope.data as TokenPair;
  expectOk(await answer(request(url, "/user/self", { headers: { accessToken } })), "the new access token");
  expectOk(await answer(refresh(url, refreshToken)), "the new refresh token");
  expectOk(await answer(ann.call("self")), "the access token from before");
}

function expectOk(envelope: Envelope, what: string): void {
  if (envelope.code !== 200) throw new Error(`${what} answered ${JSON.stringify(envelope)}`);
}
