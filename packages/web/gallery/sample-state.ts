import { GroupRole, RequestStatus, Terminal } from "@parley/protocol/codes";
import { emoticonToken } from "@parley/protocol/emoticons";
import type { PrivateMessage } from "@parley/protocol/message";
import { setFriends } from "@parley/core/model/contacts/contacts-state";
import { setGroups, setMembers } from "@parley/core/model/groups/groups-state";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import { previewOf } from "@parley/core/model/chats/preview";
import { EMPTY_CHATS, EMPTY_CONTACTS, EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import type { Chat, ChatKey, Preview, State } from "@parley/core/model/state";
import {
  FRIEND,
  GROUP,
  ME,
  chat,
  friendVO,
  groupRequestVO,
  groupRow,
  groupVO,
  memberVO,
  privateRow,
  requestVO,
  userInfo,
} from "@parley/core/testing/builders";

/** People of the samples besides the user and the friend of the builders. */
export const [LONG_NAME, STRANGER, ASKED, ADMIN, MUTED] = [6, 7, 8, 9, 10] as const;
const [OFFLINE, ENDED] = [3, 4] as const;
/** Groups besides that of the builders. */
export const ASKED_GROUP = 23;
/** Groups in which a call is running; in the second I am muted. */
export const [CALLED_GROUP, MUTED_GROUP] = [24, 25] as const;
const [LEFT, DISSOLVED, OTHER_GROUP] = [20, 21, 22] as const;

export const LONG_TEXT =
  "周末去爬山吗？ The weather should be fine, so we could take the early train and walk along the ridge until noon.";

function previewOfText(content: string, part: Partial<PrivateMessage> = {}): Preview | null {
  return previewOf(toChatMessage(privateRow({ id: 1, content, ...part }), ME));
}

const mine = (sending: Preview["sending"]): Preview => ({
  key: "content",
  text: "我的消息",
  tip: null,
  sendId: ME,
  sending,
});

/** The friend whose chat is marked as unread. */
const MARKED = "Marked as unread";

/** A private chat in each state. The friend is called like the state. */
const PRIVATE_CHATS: readonly (readonly [name: string, part: Partial<Chat>])[] = [
  ["Read", { preview: previewOfText(LONG_TEXT) }],
  ["Unread", { preview: previewOfText(`${emoticonToken(0)} 你好`), unread: 3 }],
  ["Many unread", { preview: previewOfText("hello"), unread: 120 }],
  [MARKED, { preview: previewOfText("hello") }],
  ["Pinned", { preview: previewOfText("hello"), isTop: true }],
  ["Pinned and unread", { preview: previewOfText("hello"), isTop: true, unread: 8 }],
  ["Muted", { preview: previewOfText("hello"), msgRemind: 0 }],
  ["Muted and unread", { preview: previewOfText("hello"), msgRemind: 0, unread: 12 }],
  ["Draft", { preview: previewOfText("hello"), draft: "还没写完" }],
  ["Typing", { preview: previewOfText("hello"), unread: 1 }],
  ["Recording", { preview: previewOfText("hello") }],
  ["Sending", { preview: mine("sending") }],
  ["Not sent", { preview: mine("failed") }],
  ["Empty", { lastSendTime: 0 }],
  ["Last year", { preview: previewOfText("hello"), lastSendTime: Date.UTC(2025, 3, 9, 12) }],
  [
    "A very long name of a person, 名字很长很长很长的一个人",
    { preview: previewOfText(LONG_TEXT), unread: 99 },
  ],
];
const FIRST_CHAT_FRIEND = 100;

const groupPreview = previewOf(toChatMessage(groupRow({ id: 1, content: LONG_TEXT }), ME));
const GROUP_CHATS: readonly (readonly [id: number, part: Partial<Chat>])[] = [
  [GROUP, { preview: groupPreview, unread: 2, atMe: true }],
  [OTHER_GROUP, { preview: groupPreview, unread: 2, atAll: true, msgRemind: 2 }],
  [LEFT, { preview: groupPreview }],
  [DISSOLVED, { preview: groupPreview }],
  [CALLED_GROUP, { preview: groupPreview }],
];

/** The keys of all sample chats, in the order in which the chat list shows them. */
export const CHAT_KEYS: readonly ChatKey[] = [
  "SYSTEM:0",
  `PRIVATE:${ME}`,
  ...GROUP_CHATS.map(([id]) => `GROUP:${id}` as const),
  ...PRIVATE_CHATS.map((_, index) => `PRIVATE:${FIRST_CHAT_FRIEND + index}` as const),
  // A search finds it.
  `PRIVATE:${OFFLINE}`,
];

/** Who types: the friends who are called so, and two members of a group. */
const TYPISTS: State["typists"] = Object.fromEntries([
  ...PRIVATE_CHATS.flatMap(([name], index) => {
    const what = ({ Typing: "text", Recording: "voice" } as const)[name];
    const userId = FIRST_CHAT_FRIEND + index;
    return what === undefined ? [] : [[`PRIVATE:${userId}`, [{ userId, name: null, what }]]];
  }),
  [
    `GROUP:${CALLED_GROUP}`,
    [
      { userId: ADMIN, name: "Ada the admin", what: "text" },
      { userId: LONG_NAME, name: null, what: "text" },
    ],
  ],
]);

/** The state of a user with friends, groups and chats in every state. `now` is epoch ms. */
export function createSampleState(now: number): Partial<State> {
  const contacts = {
    ...setFriends(EMPTY_CONTACTS, [
      friendVO({ nickName: "林晓" }),
      friendVO({
        id: OFFLINE,
        nickName: "Bo Larsen",
        remarkNickName: "Bo (work)",
        showNickName: "Bo (work)",
      }),
      friendVO({ id: ENDED, nickName: "Cy, a former friend", isDeleted: true, deleted: true }),
      friendVO({ id: LONG_NAME, nickName: "Maximiliane von Hohenstein-Wartenburg 名字很长很长很长" }),
      ...PRIVATE_CHATS.map(([nickName, { isTop = false, msgRemind = 1 }], index) =>
        friendVO({ id: FIRST_CHAT_FRIEND + index, nickName, isTop, msgRemind }),
      ),
    ]),
    requests: [
      requestVO({ id: 1, sendId: STRANGER, sendNickName: "美玲", remark: "你好，我是美玲，在读书会见过你" }),
      requestVO({ id: 2, sendId: ME, recvId: ASKED, recvNickName: "Dan", remark: "" }),
      requestVO({ id: 3, sendId: 11, sendNickName: "Third person", remark: LONG_TEXT }),
    ],
    users: { [STRANGER]: userInfo({ id: STRANGER, userName: "meiling", nickName: "美玲" }) },
    online: { [FRIEND]: [Terminal.APP, Terminal.WEB], [LONG_NAME]: [Terminal.APP], 100: [Terminal.WEB] },
    isLoaded: true,
  };
  const members = [
    memberVO({ userId: ME, showNickName: "我", role: GroupRole.OWNER, online: true }),
    memberVO({ userId: ADMIN, showNickName: "Ada the admin", role: GroupRole.ADMIN, online: true }),
    memberVO({ userId: FRIEND, showNickName: "林晓", online: true }),
    memberVO({ userId: MUTED, showNickName: "Muted member", isMuted: true }),
    memberVO({ userId: LONG_NAME, showNickName: "Maximiliane von Hohenstein-Wartenburg 名字很长很长很长" }),
  ];
  const groups = {
    ...setMembers(
      setGroups(EMPTY_GROUPS, [
        groupVO({ name: "周末徒步 Hiking", ownerId: ME, role: GroupRole.OWNER, membersCount: 5 }),
        groupVO({
          id: OTHER_GROUP,
          name: "A group with a very long name, 名字很长很长很长的群",
          membersCount: 1234,
        }),
        groupVO({ id: LEFT, name: "A group that I left", quit: true }),
        groupVO({ id: CALLED_GROUP, name: "A group in a call", rtcInfo: { isChating: true } }),
        groupVO({
          id: MUTED_GROUP,
          name: "A group that mutes me",
          isMuted: true,
          rtcInfo: { isChating: true },
        }),
        groupVO({ id: DISSOLVED, name: "A dissolved group", dissolve: true }),
      ]),
      GROUP,
      members,
    ),
    requests: [
      groupRequestVO({ sendNickName: "美玲", groupName: "周末徒步 Hiking" }),
      groupRequestVO({ id: 2, sendId: 12, sendNickName: "Dan", inviterId: ADMIN, inviterNickName: "Ada" }),
      groupRequestVO({ id: 3, groupId: ASKED_GROUP, groupName: "Readers", sendId: ME, sendNickName: "我" }),
    ].map((request) => ({ ...request, status: RequestStatus.PENDING })),
    isLoaded: true,
  };
  const chats = [
    chat({
      key: "SYSTEM:0",
      preview: { key: "content", text: "系统维护通知", tip: null, sendId: 0, sending: null },
      unread: 1,
    }),
    chat({ key: `PRIVATE:${ME}`, preview: mine(null) }),
    ...GROUP_CHATS.map(([id, part]) => chat({ key: `GROUP:${id}`, msgRemind: 0, ...part })),
    ...PRIVATE_CHATS.map(([, part], index) => chat({ key: `PRIVATE:${FIRST_CHAT_FRIEND + index}`, ...part })),
    // Everything up to message 100 was read by the other person.
    chat({ key: `PRIVATE:${FRIEND}`, theirReadId: 100 }),
  ].map((one, index) => ({
    ...one,
    lastSendTime: one.lastSendTime || (one.preview === null ? 0 : now - index * 4 * 3_600_000),
  }));
  const markedKey: ChatKey = `PRIVATE:${FIRST_CHAT_FRIEND + PRIVATE_CHATS.findIndex(([name]) => name === MARKED)}`;
  return {
    session: { kind: "active", userId: ME },
    connection: { kind: "online" },
    me: userInfo({ userName: "xiaolin", nickName: "小林" }),
    chats: {
      ...EMPTY_CHATS,
      byKey: Object.fromEntries(chats.map((one) => [one.key, one])),
      order: CHAT_KEYS,
    },
    chatPrefs: { [markedKey]: { v: 1, prefs: { unreadMark: 0 } } },
    contacts,
    groups,
    typists: TYPISTS,
    uploads: Object.fromEntries(
      [0.3, 0.63, 0.9, 0.05, 0].map((part, index) => [
        `upload${index + 1}`,
        { sentBytes: Math.round(part * 19_293_798), totalBytes: 19_293_798 },
      ]),
    ),
  };
}
