import { GroupRole, MessageStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import {
  FRIEND,
  FRIEND_CHAT,
  GROUP,
  GROUP_CHAT,
  groupVO,
  ME,
  NOON,
  userInfo,
} from "../../testing/builders.ts";
import { EMPTY_GROUPS } from "../signed-out-state.ts";
import type { OutboxEntry } from "../state.ts";
import { localEchoOf } from "./local-echoes.ts";

const me = userInfo({ id: ME, nickName: "Mo" });

const entryOf = (part: Partial<OutboxEntry> = {}): OutboxEntry => ({
  tab: "tab",
  tmpId: "t",
  chatKey: FRIEND_CHAT,
  type: 0,
  content: "hi",
  upload: null,
  quote: null,
  atUserIds: [],
  receipt: false,
  createdAt: NOON,
  failed: false,
  failure: null,
  ...part,
});

test("M2 a local echo looks like the message that the server will send", () => {
  const quote = { id: 4, sendId: FRIEND, sendNickName: "Ann", type: 0, content: "text 4" };
  const message = localEchoOf(entryOf({ quote }), ME, { me, groups: EMPTY_GROUPS });
  expect(message).toMatchObject({
    key: "t",
    id: null,
    sendId: ME,
    sendNickName: "Mo",
    sendTime: NOON,
    status: MessageStatus.UNSEND,
    selfSend: true,
    sending: "waiting",
    group: null,
  });
  expect(message.quoteMessage).toEqual({
    id: 4,
    sendId: FRIEND,
    content: "text 4",
    type: 0,
    status: MessageStatus.SENDED,
  });
});

test("M2 a failed entry is shown with its failure", () => {
  const failure = { kind: "network", reason: "offline" } as const;
  const message = localEchoOf(entryOf({ failed: true, failure }), ME, { me: null, groups: EMPTY_GROUPS });
  expect(message).toMatchObject({ sending: "failed", failure, sendNickName: "", quoteMessage: null });
});

test("M2 in a group the sender has the name and the role that they have there", () => {
  const entry = entryOf({ chatKey: GROUP_CHAT, atUserIds: [FRIEND], receipt: true });
  const group = groupVO({ id: GROUP, showNickName: "Mo of the choir", role: GroupRole.OWNER });
  const groups = { ...EMPTY_GROUPS, byId: { [GROUP]: group } };
  expect(localEchoOf(entry, ME, { me, groups })).toMatchObject({
    sendNickName: "Mo of the choir",
    group: {
      sendRole: GroupRole.OWNER,
      atUserIds: [FRIEND],
      receipt: true,
      receiptOk: false,
      readedCount: 0,
    },
  });
  expect(localEchoOf(entry, ME, { me, groups: EMPTY_GROUPS })).toMatchObject({
    sendNickName: "Mo",
    group: { sendRole: GroupRole.MEMBER },
  });
});
