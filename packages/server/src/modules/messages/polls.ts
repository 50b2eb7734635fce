/** Polls: texts that people vote on. */
import { MessageType } from "@parley/protocol/codes";
import { POLL_OPTIONS_MAX, SIGN_UP_LINES_MAX } from "@parley/protocol/limits";
import type { MessageExtra } from "@parley/protocol/message-extra";
import {
  type NewPoll,
  type Poll,
  canAddOption,
  isPollClosed,
  isSignUp,
  pollQuestion,
  pollText,
  signUpLines,
  startedPoll,
  withLine,
} from "@parley/protocol/poll";
import { visibleOrEmpty } from "@parley/protocol/text";
import type { Handlers } from "../../api/api-call.ts";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import { type ChangeExtra, findSeen } from "./change-extra.ts";
import type { ChatStrategies, ChatStrategy } from "./chat-strategy.ts";
import { listPeople } from "./list-people.ts";
import type { MessagesStore } from "./messages-store.ts";
import type { PublishExtra } from "./publish-extra.ts";

export interface PollsDeps extends ChatStrategies {
  store: MessagesStore;
  changeExtra: ChangeExtra;
  publishExtra: PublishExtra;
}

/** How many polls are closed at a time. */
const SWEEP_MAX = 100;

/** The last line of the text of a poll, for clients that only show the text. */
const HINT: Readonly<Record<Language, string>> = {
  "zh-CN": "请在新版客户端中投票",
  "zh-TW": "請在新版用戶端中投票",
  en: "Vote in a newer client",
};

/** The same of a sign-up list. */
const SIGN_UP_HINT: Readonly<Record<Language, string>> = {
  "zh-CN": "请在新版客户端中接龙",
  "zh-TW": "請在新版用戶端中接龍",
  en: "Sign up in a newer client",
};

/** The content of a poll. */
export const pollContent = (poll: Poll, language: Language): string =>
  `${pollText(poll)}\n${(isSignUp(poll) ? SIGN_UP_HINT : HINT)[language]}`;

/** The poll to store. Throws unless it can be sent with this message. */
export function validatePoll(
  sent: NewPoll,
  { type, content }: { type: number; content: string },
  { userId, now }: { userId: number; now: number },
): Poll {
  if (type !== MessageType.TEXT) throw malformedField("poll", "is only for texts");
  const question = pollQuestion().safeParse(content);
  if (!question.success) throw malformedField("content", question.error.issues[0]?.message ?? "is wrong");
  if (isPollClosed(sent, now)) throw new ApiError("poll.closesTooSoon");
  return startedPoll(question.data, sent, userId);
}

/** Polls, and what closes those whose time has come. */
export interface Polls {
  handlers: Pick<Handlers, "setVotes" | "addPollOption" | "setSignUpLine" | "listVoters" | "closePoll">;
  sweep(now: number): Promise<void>;
}

export function createPolls({
  store,
  changeExtra,
  publishExtra,
  privateChats,
  groupChats,
}: PollsDeps): Polls {
  async function closeDue<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    id: number,
    now: number,
  ): Promise<void> {
    const row = await store.findMessage(chats.type, id);
    if (row === undefined) return;
    const extra = await store.write(async (tx) => {
      const before = (await tx.listExtras(row.sendId, [id])).get(id);
      // It may have been closed or recalled since.
      if (before?.poll === undefined || before.poll.closedAt !== undefined) return undefined;
      return tx.closePoll(id, before.poll.closesAt ?? now, before);
    });
    if (extra === undefined) return;
    const { mine: _, ...shared } = extra;
    await publishExtra(chats, row, null, shared, null);
  }

  return {
    handlers: {
      setVotes: (call) => {
        const { id, options } = call.body;
        const keys = [...new Set(options)].map(String);
        return changeExtra(call, id, {
          act: null,
          right: "vote",
          notPossible: "poll.notPossible",
          isSet(before) {
            requireVote(requirePoll(before).poll, options, call.now);
            const mine = before?.mine?.votes ?? [];
            return mine.length === keys.length && keys.every((key) => mine.includes(key));
          },
          store: (tx, before) =>
            tx.setVotes(
              { messageId: id, userId: call.actor.userId, options: keys, at: call.now },
              requirePoll(before),
            ),
        });
      },

      addPollOption: (call) => {
        const { id, text } = call.body;
        return changeExtra(call, id, {
          act: null,
          right: "vote",
          notPossible: "poll.notPossible",
          isSet(before) {
            const { poll } = requirePoll(before);
            if (poll.addable !== true) throw new ApiError("poll.notAddable");
            if (isPollClosed(poll, call.now)) throw new ApiError("poll.closed");
            return poll.options.includes(text);
          },
          store(tx, before) {
            const found = requirePoll(before);
            if (!canAddOption(found.poll)) throw new ApiError("poll.full", { max: POLL_OPTIONS_MAX });
            const options = [...found.poll.options, text];
            return tx.changePoll(id, { ...found.poll, options }, found);
          },
        });
      },

      setSignUpLine: (call) => {
        const { id } = call.body;
        const { userId } = call.actor;
        const text = visibleOrEmpty(call.body.text);
        const mineIn = (poll: Poll) => signUpLines(poll).find(({ by }) => by === userId)?.text ?? "";
        return changeExtra(call, id, {
          act: null,
          right: "vote",
          notPossible: "poll.notPossible",
          isSet(before) {
            const { poll } = requirePoll(before);
            if (!isSignUp(poll)) throw new ApiError("poll.notPossible");
            if (isPollClosed(poll, call.now)) throw new ApiError("signUp.closed");
            return mineIn(poll) === text;
          },
          store(tx, before) {
            const found = requirePoll(before);
            const poll = withLine(found.poll, userId, text);
            if (poll.options.length > SIGN_UP_LINES_MAX)
              throw new ApiError("signUp.full", { max: SIGN_UP_LINES_MAX });
            return tx.changePoll(id, poll, found);
          },
        });
      },

      closePoll: (call) => {
        const { id } = call.body;
        return changeExtra(call, id, {
          act: null,
          right: "closePoll",
          notPossible: "poll.notPossible",
          isSet: (before) => requirePoll(before).poll.closedAt !== undefined,
          store: (tx, before) => tx.closePoll(id, call.now, requirePoll(before)),
        });
      },

      async listVoters({ actor: { userId }, query: { id, option, after } }) {
        const { PRIVATE, GROUP } = await findSeen(store, userId, id);
        const row = PRIVATE ?? GROUP;
        if (row === undefined) throw new ApiError("message.notFound");
        if (row.noticeId !== null) throw new ApiError("poll.notPossible");
        const { poll } = requirePoll((await store.listExtras(userId, [id])).get(id));
        if (poll.secret || (poll.hidden && poll.closedAt === undefined))
          throw new ApiError("poll.namesNotShown");
        return listPeople(store, "votes", id, String(option), after);
      },
    },

    async sweep(now) {
      for (const id of await store.listDuePolls(now, SWEEP_MAX)) {
        await closeDue(privateChats, id, now);
        await closeDue(groupChats, id, now);
      }
    },
  };
}

/** The extra of a poll. Throws if the message is none. */
function requirePoll(extra: MessageExtra | undefined): MessageExtra & { poll: Poll } {
  if (extra?.poll === undefined) throw new ApiError("poll.notPossible");
  return { ...extra, poll: extra.poll };
}

/** Throws unless one can vote like this. */
function requireVote(poll: Poll, options: readonly number[], now: number): void {
  if (isSignUp(poll)) throw new ApiError("poll.notPossible");
  if (isPollClosed(poll, now)) throw new ApiError("poll.closed");
  if (options.some((option) => option >= poll.options.length))
    throw malformedField("options", "is no option");
  if (new Set(options).size > poll.max) throw new ApiError("poll.tooManyOptions", { max: poll.max });
}
