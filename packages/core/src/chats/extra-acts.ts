import * as z from "zod/mini";
import {
  addPollOption,
  setPin,
  setReaction,
  setSignUpLine,
  setVotes,
} from "@parley/protocol/endpoints/message-extras";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { type Api, SILENT } from "../connection/api.ts";
import { chatKey } from "../model/schemas.ts";
import type { ActKind, UnsentAct } from "../model/chats/extras.ts";
import type { ChatKey, Result } from "../model/state.ts";
import type { Notice } from "../notice.ts";
import type { SessionEvents } from "../session-events.ts";
import { createUnsentStates } from "../storage/unsent-states.ts";
import type { ChatDeps } from "./chat-store.ts";

/** What a person does to messages. It is shown at once; a refusal, which may come after a reload, undoes it and is a notice. */
export interface ExtraActActions {
  /** Reacts to a message of a chat with an emoji or the token of an emoticon or, if `on` is false, takes that back. */
  react(key: ChatKey, id: number, reaction: string, on: boolean): void;
  /** Pins a message to the top of its chat or, if `on` is false, unpins it. */
  pin(key: ChatKey, id: number, on: boolean): void;
  /** Votes for these options of a poll, and for no others. */
  vote(key: ChatKey, id: number, options: readonly string[]): void;
  /** Adds an option to a poll. */
  addPollOption(key: ChatKey, id: number, text: string): void;
  /** Sets my line of a sign-up list; an empty text takes it back. */
  setSignUpLine(key: ChatKey, id: number, text: string): void;
}

/** What this person does to messages, as states of the messages (`createUnsentStates`). */
export interface ExtraActs extends Pick<SessionEvents, "restore" | "retry" | "reset"> {
  readonly actions: ExtraActActions;
}

/** An act that the server has not confirmed. */
export interface UnsentExtraAct extends UnsentAct {
  readonly chat: ChatKey;
  readonly id: number;
}

const unsentAct: z.ZodMiniType<UnsentExtraAct> = z.object({
  chat: chatKey,
  id: z.number(),
  kind: z.enum(["reactions", "pin", "votes", "option", "line"]),
  key: z.string(),
  on: z.boolean(),
  keys: z.optional(z.array(z.string())),
  text: z.optional(z.string()),
});

/** How each kind is sent. */
const SENDERS: Readonly<Record<ActKind, (api: Api, act: UnsentExtraAct) => Promise<Result<MessageExtra>>>> = {
  reactions: (api, { id, key, on }) => api.call(setReaction, { body: { id, key, on } }, SILENT),
  pin: (api, { id, on }) => api.call(setPin, { body: { id, on } }, SILENT),
  votes: (api, { id, keys = [] }) => api.call(setVotes, { body: { id, options: keys.map(Number) } }, SILENT),
  option: (api, { id, key }) => api.call(addPollOption, { body: { id, text: key } }, SILENT),
  line: (api, { id, text = "" }) => api.call(setSignUpLine, { body: { id, text } }, SILENT),
};

/** Creates the acts; `restore` loads those that a reload interrupted. */
export function createExtraActs({
  ports,
  api,
  database,
  chatStore,
  stateStore,
  notify,
}: ChatDeps & { notify(notice: Notice): void }): ExtraActs {
  const { put, ...events } = createUnsentStates<UnsentExtraAct>({
    ports,
    database,
    prefix: "unsentAct ",
    idOf: ({ id, kind, key }) => `${id} ${kind} ${key}`,
    // One message after another, so that "at most three" is decided in the order in which the person acted.
    laneOf: ({ id }) => String(id),
    schema: unsentAct,
    async send(act) {
      const result = await SENDERS[act.kind](api, act);
      if (!result.ok) return result.failure;
      const { chat: key, id } = act;
      chatStore.dispatch([{ kind: "extra", key, change: { id, extra: result.value } }]);
      return null;
    },
    show(entries) {
      const unsentActs: Record<number, UnsentAct[]> = {};
      for (const { chat: _, id, ...act } of entries) (unsentActs[id] ??= []).push(act);
      stateStore.set({ unsentActs });
    },
    notify,
  });
  return {
    actions: {
      react: (chat, id, key, on) => put({ chat, id, kind: "reactions", key, on }),
      pin: (chat, id, on) => put({ chat, id, kind: "pin", key: "", on }),
      vote: (chat, id, keys) => put({ chat, id, kind: "votes", key: "", on: keys.length > 0, keys }),
      addPollOption: (chat, id, text) => put({ chat, id, kind: "option", key: text, on: true }),
      setSignUpLine: (chat, id, text) => put({ chat, id, kind: "line", key: "", on: text !== "", text }),
    },
    ...events,
  };
}
