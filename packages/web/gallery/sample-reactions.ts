import { emoticonToken } from "@parley/protocol/emoticons";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { listReactions } from "@parley/protocol/endpoints/message-extras";
import type { Api } from "@parley/core/connection/api";
import type { State } from "@parley/core/model/state";
import { FRIEND, FRIEND_CHAT, ME, chat } from "@parley/core/testing/builders";
import { theirs } from "./sample-rows.ts";
import { ADMIN, LONG_NAME } from "./sample-state.ts";

const tally = (key: string, count: number, ...first: number[]) => ({ key, count, first });

/** An extra with these reactions; the last parameter are those of the reader. */
const extraWith = (reactions: MessageExtra["reactions"], mine: string[] = []): MessageExtra => ({
  v: 1,
  reactions,
  mine: { reactions: mine },
});

/** Different ones, emoji of many code points and emoticons among them. */
export const MANY = extraWith(
  [
    tally("👍", 128, FRIEND, ADMIN, ME),
    tally("❤️", 2, ME, FRIEND),
    tally("👨‍👩‍👧‍👦", 1, LONG_NAME),
    tally(emoticonToken(2), 12, ADMIN, FRIEND, LONG_NAME),
    ...["😂", "😮", "😢", "🙏", "🎉", "🏳️‍🌈", "👋🏽", "🔥"].map((key) => tally(key, 1, FRIEND)),
  ],
  ["👍", "❤️"],
);
export const FEW = extraWith([tally("👍", 2, FRIEND, ME), tally(emoticonToken(46), 1, FRIEND)], ["👍"]);

const REACTED = theirs(951, { content: "周五聚餐", extra: MANY });
/** The message whose people `answerReactions` lists. */
export const REACTED_ID = 951;
/** A message to which the reader reacts while the server does not answer. */
export const UNSENT_ID = 952;

/** The state with what the samples of reactions need. */
export function withReactions(state: State): State {
  const window = {
    messages: [REACTED],
    hasOlder: false,
    hasNewer: false,
    older: "idle",
    newer: "idle",
  } as const;
  return {
    ...state,
    chats: {
      ...state.chats,
      byKey: { ...state.chats.byKey, [FRIEND_CHAT]: chat({ key: FRIEND_CHAT, theirReadId: 100, window }) },
    },
    unsentActs: {
      [UNSENT_ID]: [
        { kind: "reactions", key: "🎉", on: true },
        { kind: "reactions", key: "👍", on: false },
      ],
    },
  };
}

/** Answers who has reacted, with more pages behind the first; other calls are never answered. */
export const answerReactions = ((endpoint) =>
  new Promise((resolve) => {
    if (endpoint.path !== listReactions.path) return;
    const people = [FRIEND, ADMIN, LONG_NAME, ME].map((userId, index) => ({
      userId,
      nickName: "",
      at: Date.now() - index * 30 * 3_600_000,
    }));
    resolve({ ok: true, value: { people, next: 5 } } as never);
  })) as Api["call"];
