/** Every write that people do, as one call that a client makes again when no answer came. */
import type { TokenPair } from "@parley/protocol/entities";
import type { Envelope, ErrorKey } from "@parley/protocol/envelope";
import type { StopPoint } from "../../ports/stops.ts";
import { PASSWORD, type Person, befriend, request } from "../people.ts";
import type { Scene } from "./scene.ts";

export interface Operation {
  name: string;
  /** What has to be there first; the number, such as that of a request, is handed to `act`. */
  before?(scene: Scene): Promise<number | void>;
  act(scene: Scene, fact: number): Promise<Envelope>;
  /** How a repeat of what was done is refused; left out: it answers as the first time. */
  repeat?: ErrorKey;
  /** A message: under one tmpId it is one row with one id, and its repeat answers that one. */
  isSend?: true;
  /** Doing it twice makes two. */
  isTwice?: true;
  /** Stop points that are not on its way. */
  skips?: readonly StopPoint[];
  /** More that must be so in the end. */
  check?(scene: Scene, answer: Envelope): Promise<void>;
}

const UNTOLD: readonly StopPoint[] = ["beforePublish", "afterPublish", "beforePushSelf", "beforePushPeer"];
const NOT_TO_SELF: readonly StopPoint[] = ["beforePushSelf"];
const NOT_TO_PEERS: readonly StopPoint[] = ["beforePushPeer"];

const answer = async (call: Promise<{ envelope: Envelope }>): Promise<Envelope> => (await call).envelope;

/** People approve by hand unless they say otherwise. */
async function answerAtOnce(person: Person): Promise<void> {
  await person.ok("setManualApprove", { query: { enabled: false } });
}

async function applyByHand({ ann, dan }: Scene): Promise<number> {
  return (await dan.ok("applyFriend", { body: { friendId: ann.id, remark: "hello" } })).id;
}

async function guard({ ann, groupId }: Scene): Promise<void> {
  await ann.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
}

async function applyToGroup(scene: Scene): Promise<number> {
  await guard(scene);
  const { dan, groupId } = scene;
  return (await dan.ok("applyGroup", { body: { groupId, remark: "let me in" } })).id;
}

type PrivateSend = Partial<{ type: number; content: string; quoteMessageId: number }>;
const sendPrivate = ({ ann, bob, tag }: Scene, more: PrivateSend = {}) =>
  answer(
    ann.call("sendPrivateMessage", {
      body: { recvId: bob.id, type: 0, content: "new", tmpId: `private ${tag}`, ...more },
    }),
  );
const sendGroup = (
  { ann, groupId, tag }: Scene,
  more: PrivateSend & { receipt?: boolean; atUserIds?: number[] } = {},
) =>
  answer(
    ann.call("sendGroupMessage", {
      body: { groupId, type: 0, content: "new", tmpId: `group ${tag}`, ...more },
    }),
  );

const messages: Operation[] = [
  { name: "private send", isSend: true, act: (scene) => sendPrivate(scene) },
  { name: "group send", isSend: true, act: (scene) => sendGroup(scene) },
  {
    name: "private quote",
    isSend: true,
    act: (scene) => sendPrivate(scene, { quoteMessageId: scene.private.theirs }),
  },
  {
    name: "group quote with receipt and mention",
    isSend: true,
    act: (scene) =>
      sendGroup(scene, { quoteMessageId: scene.group.theirs, receipt: true, atUserIds: [scene.bob.id] }),
  },
  {
    name: "private edit",
    isSend: true,
    act: (scene) => sendPrivate(scene, { type: 7, content: "edited", quoteMessageId: scene.private.mine }),
  },
  {
    name: "group edit",
    isSend: true,
    act: (scene) => sendGroup(scene, { type: 7, content: "edited", quoteMessageId: scene.group.mine }),
  },
  {
    name: "note to oneself",
    isSend: true,
    skips: NOT_TO_PEERS,
    act: ({ ann, tag }) =>
      answer(
        ann.call("sendPrivateMessage", {
          body: { recvId: ann.id, type: 0, content: "note", tmpId: `note ${tag}` },
        }),
      ),
  },
  {
    name: "private recall",
    act: ({ ann, private: { mine } }) => answer(ann.call("recallPrivateMessage", { params: { id: mine } })),
  },
  {
    name: "group recall of a member's words",
    act: ({ ann, group: { theirs } }) => answer(ann.call("recallGroupMessage", { params: { id: theirs } })),
  },
  {
    name: "private read",
    act: ({ ann, bob }) => answer(ann.call("readPrivateMessages", { query: { friendId: bob.id } })),
  },
  {
    name: "group read with receipt",
    act: ({ ann, groupId }) => answer(ann.call("readGroupMessages", { query: { groupId } })),
  },
  {
    name: "system read",
    skips: NOT_TO_PEERS,
    before: async (scene) => void (await applyByHand(scene)),
    act: ({ ann }) => answer(ann.call("readSystemMessages", { query: { maxSeqNo: 1 } })),
  },
  {
    name: "private hide",
    skips: NOT_TO_PEERS,
    act: ({ ann, bob, private: { mine, theirs } }) =>
      answer(ann.call("deletePrivateMessages", { body: { friendId: bob.id, ids: [mine, theirs] } })),
  },
  {
    name: "group hide",
    skips: NOT_TO_PEERS,
    act: ({ ann, groupId, group: { mine, theirs } }) =>
      answer(ann.call("deleteGroupMessages", { body: { groupId, ids: [mine, theirs] } })),
  },
  {
    name: "clear everything",
    skips: NOT_TO_PEERS,
    act: ({ ann }) => answer(ann.call("flushAllMessages")),
  },
];

const groups: Operation[] = [
  {
    name: "create group",
    act: ({ ann, bob, cat }) =>
      answer(
        ann.call("createGroup", { body: { tmpId: "made", name: "second", memberIds: [bob.id, cat.id] } }),
      ),
  },
  {
    name: "rename group",
    act: ({ ann, groupId }) =>
      answer(ann.call("modifyGroup", { body: { id: groupId, name: "renamed", notice: "read this" } })),
  },
  {
    name: "group settings",
    skips: NOT_TO_SELF,
    act: ({ ann, groupId }) =>
      answer(ann.call("setGroupSettings", { body: { groupId, inviteRole: 2, joinApproval: true } })),
  },
  {
    name: "invite",
    skips: NOT_TO_SELF,
    before: ({ ann, dan }) => befriend(ann, dan),
    act: ({ ann, dan, groupId }) =>
      answer(ann.call("inviteToGroup", { body: { groupId, friendIds: [dan.id] } })),
  },
  {
    name: "invite for approval",
    skips: NOT_TO_SELF,
    async before(scene) {
      await guard(scene);
      await befriend(scene.bob, scene.dan);
    },
    act: ({ bob, dan, groupId }) =>
      answer(bob.call("inviteToGroup", { body: { groupId, friendIds: [dan.id] } })),
  },
  {
    name: "join group",
    skips: NOT_TO_SELF,
    repeat: "group.already",
    act: ({ dan, groupId }) => answer(dan.call("applyGroup", { body: { groupId } })),
  },
  {
    name: "ask to join",
    skips: NOT_TO_SELF,
    before: guard,
    repeat: "group.requestPending",
    act: ({ dan, groupId }) => answer(dan.call("applyGroup", { body: { groupId, remark: "let me in" } })),
  },
  {
    name: "approve joining",
    before: applyToGroup,
    repeat: "group.requestHandled",
    act: ({ ann }, id) => answer(ann.call("approveGroupRequest", { query: { id } })),
  },
  {
    name: "reject joining",
    before: applyToGroup,
    repeat: "group.requestHandled",
    act: ({ ann }, id) => answer(ann.call("rejectGroupRequest", { query: { id } })),
  },
  {
    name: "remove member with what he wrote",
    skips: NOT_TO_SELF,
    act: ({ ann, bob, groupId }) =>
      answer(ann.call("removeGroupMembers", { body: { groupId, userIds: [bob.id], deleteMessages: true } })),
  },
  {
    name: "mute member",
    skips: NOT_TO_SELF,
    act: ({ ann, bob, groupId }) =>
      answer(ann.call("muteGroupMembers", { body: { groupId, userIds: [bob.id], isMuted: true } })),
  },
  {
    name: "mute all",
    skips: NOT_TO_SELF,
    act: ({ ann, groupId }) => answer(ann.call("muteGroup", { body: { id: groupId, isMuted: true } })),
  },
  {
    name: "make admin",
    skips: NOT_TO_SELF,
    act: ({ ann, bob, groupId }) =>
      answer(ann.call("addGroupManagers", { body: { groupId, userIds: [bob.id] } })),
  },
  {
    name: "unmake admin",
    skips: NOT_TO_SELF,
    before: async ({ ann, bob, groupId }) =>
      void (await ann.ok("addGroupManagers", { body: { groupId, userIds: [bob.id] } })),
    act: ({ ann, bob, groupId }) =>
      answer(ann.call("removeGroupManagers", { body: { groupId, userIds: [bob.id] } })),
  },
  {
    name: "transfer group",
    skips: NOT_TO_SELF,
    repeat: "group.noRight",
    act: ({ ann, bob, groupId }) => answer(ann.call("transferGroup", { body: { groupId, userId: bob.id } })),
  },
  {
    name: "quit group",
    skips: NOT_TO_SELF,
    repeat: "group.notMember",
    act: ({ bob, groupId }) => answer(bob.call("quitGroup", { params: { id: groupId } })),
  },
  {
    name: "dissolve group",
    skips: NOT_TO_SELF,
    repeat: "group.dissolved",
    act: ({ ann, groupId }) => answer(ann.call("dissolveGroup", { params: { id: groupId } })),
  },
  {
    name: "group alerts",
    skips: NOT_TO_PEERS,
    act: ({ ann, groupId }) => answer(ann.call("setGroupMsgRemind", { body: { groupId, msgRemind: 2 } })),
  },
  {
    name: "pin group",
    skips: NOT_TO_PEERS,
    act: ({ ann, groupId }) => answer(ann.call("setGroupTop", { body: { groupId, isTop: true } })),
  },
];

const people: Operation[] = [
  {
    name: "add friend",
    skips: NOT_TO_SELF,
    before: ({ dan }) => answerAtOnce(dan),
    repeat: "friend.already",
    act: ({ ann, dan }) => answer(ann.call("applyFriend", { body: { friendId: dan.id } })),
  },
  {
    name: "ask to be friends",
    skips: NOT_TO_SELF,
    repeat: "friend.requestPending",
    act: ({ ann, dan }) =>
      answer(ann.call("applyFriend", { body: { friendId: dan.id, remark: "it is me" } })),
  },
  {
    name: "approve friend",
    before: applyByHand,
    repeat: "friend.requestHandled",
    act: ({ ann }, id) => answer(ann.call("approveFriendRequest", { query: { id } })),
  },
  {
    name: "reject friend",
    before: applyByHand,
    repeat: "friend.requestHandled",
    act: ({ ann }, id) => answer(ann.call("rejectFriendRequest", { query: { id } })),
  },
  {
    name: "take back friend request",
    skips: NOT_TO_SELF,
    before: applyByHand,
    repeat: "friend.requestHandled",
    act: ({ dan }, id) => answer(dan.call("recallFriendRequest", { query: { id } })),
  },
  {
    name: "delete friend",
    skips: NOT_TO_SELF,
    repeat: "friend.notFriend",
    act: ({ ann, bob }) => answer(ann.call("deleteFriend", { params: { id: bob.id } })),
  },
  {
    name: "remark of a friend",
    skips: NOT_TO_PEERS,
    act: ({ ann, bob }) =>
      answer(ann.call("updateFriendRemark", { body: { friendId: bob.id, remarkNickName: "Bobby" } })),
  },
  {
    name: "pin friend",
    skips: NOT_TO_PEERS,
    act: ({ ann, bob }) => answer(ann.call("setFriendTop", { body: { friendId: bob.id, isTop: true } })),
  },
  {
    name: "silence friend",
    skips: NOT_TO_PEERS,
    act: ({ ann, bob }) =>
      answer(ann.call("setFriendMsgRemind", { body: { friendId: bob.id, msgRemind: 0 } })),
  },
  {
    name: "block",
    skips: NOT_TO_PEERS,
    act: ({ ann, bob }) => answer(ann.call("addToBlacklist", { query: { userId: bob.id } })),
  },
  {
    name: "unblock",
    skips: NOT_TO_PEERS,
    before: async ({ ann, bob }) => void (await ann.ok("addToBlacklist", { query: { userId: bob.id } })),
    act: ({ ann, bob }) => answer(ann.call("removeFromBlacklist", { query: { userId: bob.id } })),
  },
];

const accounts: Operation[] = [
  {
    name: "register",
    skips: UNTOLD,
    repeat: "register.userNameTaken",
    act: ({ url, tag }) =>
      answer(
        post(url, "/register", { userName: `eve${tag}`, nickName: "eve", password: PASSWORD, terminal: 2 }),
      ),
    async check({ url, tag }) {
      const login = { userName: `eve${tag}`, password: PASSWORD, terminal: 2 };
      mustBeOk(await answer(post(url, "/login", login)), "the login of whoever registered");
    },
  },
  {
    name: "profile",
    skips: NOT_TO_SELF,
    act: ({ ann }) =>
      answer(ann.call("updateUser", { body: { id: ann.id, nickName: "anna", signature: "hi" } })),
  },
  {
    name: "approval by hand",
    skips: UNTOLD,
    act: ({ ann }) => answer(ann.call("setManualApprove", { query: { enabled: false } })),
  },
  {
    name: "change password",
    skips: UNTOLD,
    repeat: "password.oldWrong",
    act: ({ ann }) =>
      answer(ann.call("modifyPwd", { body: { oldPassword: PASSWORD, newPassword: "password-2" } })),
    async check({ url, ann }) {
      const login = { userName: ann.userName, password: "password-2", terminal: 2 };
      mustBeOk(await answer(post(url, "/login", login)), "the login with the new password");
    },
  },
  {
    name: "log in",
    skips: UNTOLD,
    isTwice: true,
    act: ({ url, ann }) =>
      answer(post(url, "/login", { userName: ann.userName, password: PASSWORD, terminal: 1 })),
    check: checkPair,
  },
  {
    name: "refresh token",
    skips: UNTOLD,
    act: ({ url, ann }) => answer(refresh(url, ann.tokens.refreshToken)),
    check: checkPair,
  },
  {
    name: "end one session",
    skips: UNTOLD,
    before: logInOnPhone,
    act: ({ ann, phoneSession }) => answer(ann.call("endSession", { query: { id: phoneSession } })),
  },
  {
    name: "end all other sessions",
    skips: UNTOLD,
    before: logInOnPhone,
    act: ({ ann }) => answer(ann.call("endSession", { query: {} })),
  },
  {
    name: "log out",
    skips: UNTOLD,
    repeat: "auth.tokenInvalid",
    act: ({ ann }) => answer(ann.call("logout")),
  },
  {
    name: "close account",
    skips: NOT_TO_SELF,
    repeat: "auth.tokenInvalid",
    act: ({ bob }) => answer(bob.call("unregister")),
  },
  {
    name: "upload",
    skips: UNTOLD,
    isTwice: true,
    act: ({ ann }) => upload(ann),
    async check({ url }, envelope) {
      const { originUrl, thumbUrl } = envelope.data as { originUrl: string; thumbUrl: string };
      for (const path of [originUrl, thumbUrl]) {
        const { status } = await fetch(`${url}${path}`);
        if (status !== 200) throw new Error(`${path} was uploaded and answers ${status}`);
      }
    },
  },
];

export const OPERATIONS: readonly Operation[] = [...messages, ...groups, ...people, ...accounts];

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function upload({ url, tokens }: Person): Promise<Envelope> {
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

async function logInOnPhone(scene: Scene): Promise<void> {
  await scene.ann.elsewhere({ terminal: 1 });
  scene.phoneSession = (await scene.ann.ok("listSessions")).find(({ current }) => !current)?.id;
}

/** Both tokens of the pair that the client got in the end are good, and the session behind them is one. */
async function checkPair({ url, ann }: Scene, envelope: Envelope): Promise<void> {
  const { accessToken, refreshToken } = envelope.data as TokenPair;
  mustBeOk(await answer(request(url, "/user/self", { headers: { accessToken } })), "the new access token");
  mustBeOk(await answer(refresh(url, refreshToken)), "the new refresh token");
  mustBeOk(await answer(ann.call("self")), "the access token from before");
}

function mustBeOk(envelope: Envelope, what: string): void {
  if (envelope.code !== 200) throw new Error(`${what} answered ${JSON.stringify(envelope)}`);
}
