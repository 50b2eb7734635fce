/** The top of the chat list, which a device without data shows before its first pull has ended. */
import { ChatType, MessageStatus } from "@parley/protocol/codes";
import type { FirstChat } from "@parley/protocol/endpoints/first-chats";
import {
  FIRST_CHATS_MAX_BYTES,
  FIRST_PULL_GROUP_MAX,
  FIRST_PULL_PRIVATE_MAX,
  FIRST_TEXT_MAX,
  FIRST_UNREAD_MAX,
  OFFLINE_WINDOW_MS,
} from "@parley/protocol/limits";
import { kindOf, parseObject } from "@parley/protocol/message";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { pollTitle } from "@parley/protocol/poll";
import { cutText } from "@parley/protocol/text";
import type { Handlers } from "../../api/api-call.ts";
import { type Language, languageOf } from "../../api/language.ts";
import type { AccountReads, UserRow } from "../../ports/account-store.ts";
import type { FirstChatReads, FirstChatRow } from "../../ports/first-chats-store.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { GroupReads, GroupRow } from "../../ports/group-store.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { privateMessage, statusFor, systemMessage } from "../../presenters/message-presenter.ts";
import { smallPicture } from "../../presenters/small-picture.ts";

export interface FirstChatsDeps {
  store: FirstChatReads &
    Pick<AccountReads, "findUsers"> &
    Pick<GroupReads, "findGroups"> &
    Pick<MessageExtraReads, "listExtras">;
  /** Epoch milliseconds. */
  now(): number;
}

export function createFirstChats({ store, now }: FirstChatsDeps): Pick<Handlers, "loadFirstChats"> {
  return {
    async loadFirstChats({ actor: { userId }, query, language }) {
      const rows = await store.listFirstChats(userId, {
        limit: query.n,
        notBefore: now() - OFFLINE_WINDOW_MS,
        privateMax: FIRST_PULL_PRIVATE_MAX,
        groupMax: FIRST_PULL_GROUP_MAX,
        unreadMax: FIRST_UNREAD_MAX,
      });
      const targets = (type: ChatType) =>
        rows.filter((row) => row.type === type).map(({ targetId }) => targetId);
      const ids = rows.flatMap(({ type, row }) => (type === ChatType.SYSTEM ? [] : row.id));
      const known = {
        users: await store.findUsers(targets(ChatType.PRIVATE)),
        groups: await store.findGroups(targets(ChatType.GROUP)),
        extras: await store.listExtras(userId, ids),
      };
      return { chats: upToSize(rows.map((row) => viewOf(userId, row, known, languageOf(language)))) };
    },
  };
}

/** What is known of the people and groups of the chats, and of their last messages. */
interface Known {
  users: Map<number, UserRow>;
  groups: Map<number, GroupRow>;
  extras: Map<number, MessageExtra>;
}

function viewOf(
  userId: number,
  chat: FirstChatRow,
  { users, groups, extras }: Known,
  language: Language,
): FirstChat {
  const { remark, row: _, type: _type, ...state } = chat;
  switch (chat.type) {
    case ChatType.PRIVATE: {
      const person = users.get(chat.targetId);
      const name = remark || person?.nickName || person?.userName || null;
      const headImage = person === undefined ? null : smallPicture(person);
      const row = { ...chat.row, quote: null, content: shortened(chat.row, extras) };
      const message = privateMessage(row, statusFor(userId, row, state), language);
      return { type: chat.type, ...state, name, headImage, message };
    }
    case ChatType.GROUP: {
      const group = groups.get(chat.targetId);
      const headImage = group === undefined ? null : smallPicture(group);
      const row = { ...chat.row, quote: null, content: shortened(chat.row, extras) };
      const isRead = row.sendId !== userId && row.id <= chat.mine;
      const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
      const message = groupMessage(row, language, { status, readedCount: 0, receiptOk: false });
      return { type: chat.type, ...state, name: remark || group?.name || null, headImage, message };
    }
    case ChatType.SYSTEM: {
      const isRequest = kindOf(chat.row.type)?.isRequest === true;
      // A request is parsed as a whole; of a notice the title is shown.
      const row = { ...chat.row, intro: null, content: isRequest ? chat.row.content : "" };
      return {
        type: chat.type,
        ...state,
        name: null,
        headImage: null,
        message: systemMessage(row, chat.mine),
      };
    }
    default:
      return chat satisfies never;
  }
}

/** What a preview shows of a content: the beginning of a text, the question of a poll, the one field of a JSON content. */
function shortened(
  { id, type, content }: { id: number; type: number; content: string },
  extras: Map<number, MessageExtra>,
): string {
  const poll = extras.get(id)?.poll;
  if (poll !== undefined) return pollTitle(poll);
  const kind = kindOf(type);
  if (kind?.content !== "json") return cutText(content, FIRST_TEXT_MAX);
  const field = kind.previewField;
  const value = typeof field === "string" ? parseObject(content)[field] : undefined;
  return typeof field !== "string" || value === undefined ? "{}" : JSON.stringify({ [field]: value });
}

/** The first chats that fit into the answer. */
function upToSize(chats: readonly FirstChat[]): FirstChat[] {
  let bytes = 0;
  const end = chats.findIndex((chat) => {
    bytes += Buffer.byteLength(JSON.stringify(chat)) + 1;
    return bytes > FIRST_CHATS_MAX_BYTES;
  });
  return end === -1 ? [...chats] : chats.slice(0, end);
}
