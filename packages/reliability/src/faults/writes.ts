/** What each write of the API needs, whom it tells, and what a repetition answers. */
import { createECDH } from "node:crypto";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { type NewPoll, pollTitle } from "@parley/protocol/poll";
import { FindableBy, MessageType } from "@parley/protocol/codes";
import type { ImageUpload, TokenPair } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import type { ErrorKey } from "@parley/protocol/errors";
import { PASSWORD, type TestPerson, befriend, request } from "@parley/server/testing/test-person";
import type { Fields } from "@parley/server/testing/endpoint-input";
import type { Thing } from "@parley/server/testing/id-fields";
import type { Role, Scenario } from "./scenario.ts";
import { uploadFile, uploadPicture, uploadVideo } from "./upload-files.ts";

/** What the batteries need to know about a write. */
export interface Effect {
  /**
   * Creates what the write needs. The result, such as the id of a request, is passed to the call. Left out: creates the request that the
   * endpoint takes the id of, if it does.
   */
  before?(scenario: Scenario): Promise<number | void>;
  /** The error of a repetition. Left out: it succeeds like the first time. */
  repeat?: ErrorKey;
  /** A repetition has an effect. */
  isNonIdempotent?: true;
  /** The server goes on writing after its answer, so only the first pass of a failpoint is surely one of the call. */
  goesOnAfterwards?: true;
  /** No answer of the API shows its effect. The tests of its module look into the database. */
  isInvisible?: true;
  /** An additional check of the final state. */
  check?(scenario: Scenario, answer: Envelope): Promise<void>;
}

/** A write of an endpoint, as far as it differs from a call with the examples by ann. */
export interface Write<Input = object> extends Effect {
  /** Left out: the name of the endpoint. */
  name?: string;
  by?: Role;
  input?(scenario: Scenario, preparedId: number): Input;
  /** Makes the call in another way. */
  perform?(scenario: Scenario): Promise<Envelope>;
  /** Who gets a push. Left out: the other devices of the person, and other people. `somebody`: at least one of them. */
  tells?: "self" | "others" | "nobody" | "somebody";
}

const LUNCH: NewPoll = {
  options: ["Noodles", "Rice"],
  max: 1,
  secret: false,
  hidden: false,
  addable: true,
};

const LIST: NewPoll = { kind: "signUp", options: [], max: 1, secret: false, hidden: false };

/** Ann asks Bob, or the group; returns the id of the poll. */
const sendPoll = async ({ ann, bob }: Scenario) =>
  (await ann.ok("sendPrivateMessage", { body: { recvId: bob.id, type: 0, content: "Lunch?", poll: LUNCH } }))
    .id;
const sendPollToGroup = async ({ ann, groupId }: Scenario) =>
  (await ann.ok("sendGroupMessage", { body: { groupId, type: 0, content: "Lunch?", poll: LUNCH } })).id;

/** An endpoint that is not here is called once with the examples, must tell somebody, and succeed again when it is repeated. */
export const WRITES: { readonly [N in EndpointName]?: readonly Write<Partial<Fields<N>>>[] } = {
  sendPrivateMessage: [
    { name: "private send" },
    { name: "private quote", input: (scenario) => ({ quoteMessageId: scenario.private.theirs }) },
    {
      name: "private edit",
      input: (scenario) => ({ type: 7, content: "edited", quoteMessageId: scenario.private.mine }),
    },
    {
      name: "private picture",
      before: uploadAnnsPicture,
      input: (scenario) => ({ type: MessageType.IMAGE, content: pictureContent(scenario) }),
      check: checkPicture,
    },
    {
      name: "private poll",
      input: () => ({ content: "Lunch?", poll: LUNCH }),
      check: checkPoll,
    },
    { name: "message to oneself", tells: "self", input: ({ ann }) => ({ recvId: ann.id, content: "note" }) },
  ],
  sendGroupMessage: [
    { name: "group send" },
    {
      name: "group quote with receipt and mention",
      input: ({ bob, group }) => ({ quoteMessageId: group.theirs, receipt: true, atUserIds: [bob.id] }),
    },
    {
      name: "group file that quotes",
      before: uploadAnnsFile,
      input: (scenario) => ({
        type: MessageType.FILE,
        content: JSON.stringify({ name: "a.txt", size: 1, url: scenario.fileUrl }),
        quoteMessageId: scenario.group.theirs,
      }),
      check: checkFile,
    },
    {
      name: "group edit",
      input: ({ group }) => ({ type: 7, content: "edited", quoteMessageId: group.mine }),
    },
  ],
  recallPrivateMessage: [
    { name: "private recall" },
    {
      name: "private recall of a picture",
      goesOnAfterwards: true,
      async before(scenario) {
        await uploadAnnsPicture(scenario);
        const { ann, bob } = scenario;
        const body = { recvId: bob.id, type: MessageType.IMAGE, content: pictureContent(scenario) };
        return (await ann.ok("sendPrivateMessage", { body })).id;
      },
      input: (_, id) => ({ id }),
      check: checkPictureGone,
    },
  ],
  recallGroupMessage: [
    { name: "group recall of a member's message", input: ({ group }) => ({ id: group.theirs }) },
  ],
  setReaction: [
    { name: "private reaction", input: (scenario) => ({ id: scenario.private.theirs }) },
    { name: "group reaction", input: ({ group }) => ({ id: group.theirs }) },
  ],
  setPin: [
    { name: "private pin", input: (scenario) => ({ id: scenario.private.theirs }) },
    { name: "group pin", input: ({ group }) => ({ id: group.theirs }) },
  ],
  setVotes: [
    {
      name: "vote in a private chat",
      before: sendPoll,
      input: (_, id) => ({ id, options: [1] }),
    },
    {
      name: "vote in a group",
      before: sendPollToGroup,
      input: (_, id) => ({ id, options: [0] }),
    },
  ],
  addPollOption: [
    {
      name: "option added in a private chat",
      before: sendPoll,
      input: (_, id) => ({ id }),
    },
    {
      name: "option added in a group",
      before: sendPollToGroup,
      input: (_, id) => ({ id }),
    },
  ],
  setSignUpLine: [
    {
      name: "line of a sign-up list",
      before: async ({ ann, bob }) =>
        (
          await ann.ok("sendPrivateMessage", {
            body: { recvId: bob.id, type: 0, content: "Cake?", poll: LIST },
          })
        ).id,
      input: (_, id) => ({ id, text: "2 portions" }),
    },
  ],
  closePoll: [
    {
      name: "end of a poll",
      before: sendPoll,
      input: (_, id) => ({ id }),
    },
  ],
  setSaved: [
    {
      name: "save a private message",
      tells: "self",
      input: (scenario) => ({ id: scenario.private.theirs, note: "later", tags: ["work"] }),
    },
    { name: "save a group message", tells: "self", input: ({ group }) => ({ id: group.theirs }) },
  ],
  removeSaved: [
    {
      name: "remove from saved",
      tells: "self",
      async before({ ann, private: { theirs } }) {
        await ann.ok("setSaved", { body: { id: theirs, note: "", tags: [] } });
      },
      input: (scenario) => ({ id: scenario.private.theirs }),
    },
  ],
  setChatPrefs: [
    {
      name: "mark as unread, archive",
      tells: "self",
      input: ({ bob }) => ({ type: "PRIVATE", targetId: bob.id, set: { unreadMark: 7, archived: 7 } }),
    },
  ],
  readPrivateMessages: [{ name: "private read" }],
  readGroupMessages: [{ name: "group read with receipt" }],
  readSystemMessages: [
    {
      name: "system read",
      tells: "self",
      before: async (scenario) => void (await requestFriendship(scenario)),
      input: () => ({ maxSeqNo: 1 }),
    },
  ],
  deletePrivateMessages: [
    {
      name: "private delete for me",
      tells: "self",
      input: ({ private: { mine, theirs } }) => ({ ids: [mine, theirs] }),
    },
  ],
  deleteGroupMessages: [
    {
      name: "group delete for me",
      tells: "self",
      input: ({ group: { mine, theirs } }) => ({ ids: [mine, theirs] }),
    },
  ],
  flushAllMessages: [{ name: "clear everything", tells: "self" }],

  createGroup: [
    {
      name: "create group",
      input: ({ bob, cat }) => ({ name: "second", memberIds: [bob.id, cat.id] }),
    },
  ],
  modifyGroup: [{ name: "rename group", input: () => ({ name: "renamed", notice: "read this" }) }],
  setGroupSettings: [
    { name: "group settings", tells: "others", input: () => ({ inviteRole: 2, joinApproval: true }) },
  ],
  inviteToGroup: [
    {
      name: "invite",
      tells: "others",
      before: ({ ann, dan }) => befriend(ann, dan),
      input: ({ dan }) => ({ friendIds: [dan.id] }),
    },
    {
      name: "invite for approval",
      tells: "others",
      async before(scenario) {
        await requireApproval(scenario);
        await befriend(scenario.bob, scenario.dan);
      },
      by: "bob",
      input: ({ dan }) => ({ friendIds: [dan.id] }),
    },
  ],
  applyGroup: [
    { name: "join group", by: "dan", tells: "others", repeat: "group.already" },
    {
      name: "ask to join",
      by: "dan",
      tells: "others",
      before: requireApproval,
      repeat: "group.requestPending",
      input: () => ({ remark: "let me in" }),
    },
  ],
  approveGroupRequest: [{ name: "approve joining", repeat: "group.requestHandled" }],
  rejectGroupRequest: [{ name: "reject joining", repeat: "group.requestHandled" }],
  removeGroupMembers: [
    { name: "remove member with messages", tells: "others", input: () => ({ deleteMessages: true }) },
  ],
  muteGroupMembers: [{ name: "mute member", tells: "others" }],
  muteGroup: [{ name: "mute all", tells: "others" }],
  addGroupManagers: [{ name: "make admin", tells: "others" }],
  removeGroupManagers: [
    {
      name: "remove admin",
      tells: "others",
      before: async ({ ann, bob, groupId }) =>
        void (await ann.ok("addGroupManagers", { body: { groupId, userIds: [bob.id] } })),
    },
  ],
  transferGroup: [{ name: "transfer group", tells: "others", repeat: "group.noRight" }],
  quitGroup: [{ name: "quit group", by: "bob", tells: "others", repeat: "group.notMember" }],
  dissolveGroup: [{ name: "dissolve group", tells: "others", repeat: "group.dissolved" }],
  setGroupMsgRemind: [{ name: "group alerts", tells: "self", input: () => ({ msgRemind: 2 }) }],
  setGroupTop: [{ name: "pin group", tells: "self" }],
  setGroupDnd: [{ name: "mute group", tells: "self" }],

  applyFriend: [
    {
      name: "add friend",
      tells: "others",
      before: ({ dan }) => approveAutomatically(dan),
      repeat: "friend.already",
      input: ({ dan }) => ({ friendId: dan.id }),
    },
    {
      name: "ask to be friends",
      tells: "others",
      repeat: "friend.requestPending",
      input: ({ dan }) => ({ friendId: dan.id, remark: "it is me" }),
    },
  ],
  addFriend: [
    {
      name: "ask to be friends as older clients do",
      tells: "others",
      repeat: "friend.requestPending",
      input: ({ dan }) => ({ friendId: dan.id }),
    },
  ],
  approveFriendRequest: [{ name: "approve friend", repeat: "friend.requestHandled" }],
  rejectFriendRequest: [{ name: "reject friend", repeat: "friend.requestHandled" }],
  recallFriendRequest: [
    { name: "take back friend request", by: "dan", tells: "others", repeat: "friend.requestHandled" },
  ],
  deleteFriend: [{ name: "delete friend", tells: "others", repeat: "friend.notFriend" }],
  updateFriendRemark: [
    { name: "remark of a friend", tells: "self", input: () => ({ remarkNickName: "Bobby" }) },
  ],
  setFriendTop: [{ name: "pin friend", tells: "self" }],
  setFriendMsgRemind: [{ name: "mute friend", tells: "self", input: () => ({ msgRemind: 0 }) }],
  setFriendDnd: [{ name: "mute friend as older clients do", tells: "self" }],
  addToBlacklist: [{ name: "block", tells: "self" }],
  removeFromBlacklist: [
    {
      name: "unblock",
      tells: "self",
      before: async ({ ann, bob }) => void (await ann.ok("addToBlacklist", { query: { userId: bob.id } })),
    },
  ],

  register: [
    {
      name: "register",
      tells: "nobody",
      repeat: "register.userNameTaken",
      perform: ({ url, tag }) =>
        callWithoutToken(url, "register", {
          userName: `eve${tag}`,
          nickName: "eve",
          password: PASSWORD,
          terminal: 2,
        }),
      async check({ url, tag }) {
        const login = { userName: `eve${tag}`, password: PASSWORD, terminal: 2 };
        expectOk(await callWithoutToken(url, "login", login), "the login of the registered person");
      },
    },
  ],
  updateUser: [
    {
      name: "profile",
      input: ({ ann }) => ({ id: ann.id, nickName: "anna", signature: "hi" }),
    },
  ],
  setManualApprove: [{ name: "approval setting", tells: "self", input: () => ({ enabled: false }) }],
  setReadReceipts: [{ name: "read receipts", tells: "self", input: () => ({ enabled: false }) }],
  setLastSeenShown: [{ name: "last seen", tells: "self", input: () => ({ enabled: false }) }],
  setFindableBy: [{ name: "who finds me", tells: "self", input: () => ({ by: FindableBy.NOTHING }) }],
  modifyPwd: [
    {
      name: "change password",
      tells: "nobody",
      repeat: "password.oldWrong",
      input: () => ({ oldPassword: PASSWORD, newPassword: "password-2" }),
      async check({ url, ann }) {
        const login = { userName: ann.userName, password: "password-2", terminal: 2 };
        expectOk(await callWithoutToken(url, "login", login), "the login with the new password");
      },
    },
  ],
  login: [
    {
      name: "log in",
      tells: "nobody",
      isNonIdempotent: true,
      perform: ({ url, ann }) =>
        callWithoutToken(url, "login", { userName: ann.userName, password: PASSWORD, terminal: 1 }),
      check: checkPair,
    },
  ],
  refreshToken: [
    {
      name: "refresh token",
      tells: "nobody",
      perform: ({ url, ann }) => refresh(url, ann.tokens.refreshToken),
      check: checkPair,
    },
  ],
  endSession: [
    {
      name: "end one session",
      tells: "nobody",
      before: logInOnPhone,
      input: ({ phoneSession }) => ({ id: phoneSession }),
    },
    { name: "end all other sessions", tells: "nobody", before: logInOnPhone },
  ],
  subscribeWebPush: [
    { name: "subscribe to web push", tells: "nobody", isInvisible: true, input: pushSubscription },
  ],
  reportAbuse: [
    {
      name: "report a person",
      tells: "nobody",
      isInvisible: true,
      input: ({ bob }) => ({ userId: bob.id, reason: "spam", text: "" }),
    },
  ],
  unsubscribeWebPush: [{ name: "end web push", tells: "nobody", isInvisible: true }],
  logout: [{ name: "log out", tells: "nobody", repeat: "auth.tokenInvalid" }],
  unregister: [
    {
      name: "close account",
      by: "bob",
      tells: "others",
      repeat: "auth.tokenInvalid",
      input: () => ({ password: PASSWORD }),
    },
  ],
  uploadImage: [
    {
      name: "upload a picture",
      tells: "nobody",
      isNonIdempotent: true,
      perform: ({ ann }) => uploadPicture(ann, 1),
      check: checkFiles,
    },
  ],
  uploadFile: [
    {
      name: "upload a file",
      tells: "nobody",
      isNonIdempotent: true,
      perform: ({ ann }) => uploadFile(ann, Buffer.from("some text")),
      check: checkFiles,
    },
  ],
  uploadVideo: [
    {
      name: "upload a video",
      tells: "nobody",
      isNonIdempotent: true,
      perform: ({ ann }) => uploadVideo(ann, 1),
      check: checkFiles,
    },
  ],
};

async function uploadAnnsPicture(scenario: Scenario): Promise<void> {
  const { code, data } = await uploadPicture(scenario.ann, 1);
  if (code !== 200) throw new Error(`the upload answered ${code}`);
  scenario.picture = data;
}

/** Its bytes are always the same, because the server adds their number to the message. */
async function uploadAnnsFile(scenario: Scenario): Promise<void> {
  const { code, data } = await uploadFile(scenario.ann, Buffer.from("some text"));
  if (code !== 200) throw new Error(`the upload answered ${code}`);
  scenario.fileUrl = data;
}

async function checkFile({ url, fileUrl }: Scenario): Promise<void> {
  const { status } = await fetch(`${url}${fileUrl}`);
  if (status !== 200) throw new Error(`the file of a stored message answers ${status}`);
}

function pictureOf({ picture }: Scenario): ImageUpload {
  if (picture === undefined) throw new Error("no picture was uploaded");
  return picture;
}

function pictureContent(scenario: Scenario): string {
  const { originUrl, thumbUrl, width, height } = pictureOf(scenario);
  return JSON.stringify({ originUrl, thumbUrl, width, height });
}

async function statusOfPicture(scenario: Scenario): Promise<number> {
  return (await fetch(`${scenario.url}${pictureOf(scenario).originUrl}`)).status;
}

/** A poll is never stored without its options. */
async function checkPoll({ ann, bob }: Scenario): Promise<void> {
  const rows = await ann.ok("privateHistory", { query: { friendId: bob.id } });
  const polls = rows.filter(({ content }) => content.includes(pollTitle({ question: "Lunch?" })));
  if (polls.length !== 1 || polls[0]?.extra?.poll === undefined)
    throw new Error(`one poll was sent, stored are ${JSON.stringify(polls)}`);
}

async function checkPicture(scenario: Scenario): Promise<void> {
  const status = await statusOfPicture(scenario);
  if (status !== 200) throw new Error(`the file of a stored message answers ${status}`);
}

async function checkPictureGone(scenario: Scenario): Promise<void> {
  const status = await statusOfPicture(scenario);
  if (status !== 404) throw new Error(`the file of a recalled message answers ${status}`);
}

/** Reads every file that an upload answered. */
async function checkFiles({ url }: Scenario, { data }: Envelope): Promise<void> {
  const paths = typeof data === "string" ? [data] : Object.values(data as object);
  for (const path of paths) {
    if (typeof path !== "string" || !path.startsWith("/files/")) continue;
    const { status } = await fetch(`${url}${path}`);
    if (status !== 200) throw new Error(`${path} was uploaded and answers ${status}`);
  }
}

/** Accepts friend requests of this person automatically, which is not the default. */
async function approveAutomatically(person: TestPerson): Promise<void> {
  await person.ok("setManualApprove", { query: { enabled: false } });
}

async function requestFriendship({ ann, dan }: Scenario): Promise<number> {
  return (await dan.ok("applyFriend", { body: { friendId: ann.id, remark: "hello" } })).id;
}

/** The key is a point of the curve: the server checks it. */
function pushSubscription() {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return {
    endpoint: "https://push.example.org/device",
    p256dh: keys.getPublicKey("base64url"),
    auth: "a".repeat(22),
    preview: false,
  };
}

/** What makes the request that an endpoint takes the id of. */
export const MAKE_REQUEST: Readonly<Partial<Record<Thing, (scenario: Scenario) => Promise<number>>>> = {
  friendRequest: requestFriendship,
  groupRequest: applyToGroup,
};

async function requireApproval({ ann, groupId }: Scenario): Promise<void> {
  await ann.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
}

async function applyToGroup(scenario: Scenario): Promise<number> {
  await requireApproval(scenario);
  const { dan, groupId } = scenario;
  return (await dan.ok("applyGroup", { body: { groupId, remark: "let me in" } })).id;
}

async function callWithoutToken(url: string, name: "login" | "register", body: object): Promise<Envelope> {
  const headers = { "content-type": "application/json" };
  const { method, path } = ENDPOINTS[name];
  return (await request(url, path, { method, headers, body: JSON.stringify(body) })).envelope;
}

async function refresh(url: string, refreshToken: string): Promise<Envelope> {
  const { method, path } = ENDPOINTS.refreshToken;
  return (await request(url, path, { method, headers: { refreshToken } })).envelope;
}

async function logInOnPhone(scenario: Scenario): Promise<void> {
  await scenario.ann.elsewhere({ terminal: 1 });
  scenario.phoneSession = (await scenario.ann.ok("listSessions")).find(({ current }) => !current)?.id;
}

/** Checks that both tokens of the last answer, and the tokens from before, are valid. */
async function checkPair({ url, ann }: Scenario, envelope: Envelope): Promise<void> {
  const { accessToken, refreshToken } = envelope.data as TokenPair;
  const { envelope: self } = await request(url, ENDPOINTS.self.path, { headers: { accessToken } });
  expectOk(self, "the new access token");
  expectOk(await refresh(url, refreshToken), "the new refresh token");
  expectOk((await ann.call("self")).envelope, "the access token from before");
}

function expectOk(envelope: Envelope, what: string): void {
  if (envelope.code !== 200) throw new Error(`${what} answered ${JSON.stringify(envelope)}`);
}
