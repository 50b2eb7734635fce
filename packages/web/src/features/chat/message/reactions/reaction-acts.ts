import { type ShownTally, shownTallies, unsentActsOf } from "@parley/core/model/chats/extras";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { isReactionKey, type Tally } from "@parley/protocol/message-extra";
import { memberNameOf } from "../../../../kit/chats/group.ts";
import type { Translate } from "../../../../kit/i18n/i18n.ts";
import { listNames } from "../../../../kit/i18n/names-text.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { readPreference, writePreference } from "../../../../kit/settings/preferences.ts";
import { lazyComponent } from "../../../../kit/loading/lazy-component.tsx";
import { type ActionContext, type ConversationUi, showDialog } from "../conversation-ui.ts";

const ReactionsDialog = lazyComponent(() =>
  import("./reactions-dialog.tsx").then((part) => part.ReactionsDialog),
);

export const THUMBS_UP = "👍";
const QUICK_REACTIONS = [THUMBS_UP, "❤️", "😂", "😮", "😢", "🙏"];

/** The reactions that are offered first: those that were used last in this browser, then the usual ones. */
export function quickReactions(): readonly string[] {
  return [...new Set([...readUsed(), ...QUICK_REACTIONS])].slice(0, QUICK_REACTIONS.length);
}

function readUsed(): readonly string[] {
  return (readPreference("reactions") ?? "").split(" ").filter(isReactionKey);
}

function rememberUsed(reaction: string): void {
  const used = [reaction, ...readUsed().filter((other) => other !== reaction)];
  writePreference("reactions", used.slice(0, QUICK_REACTIONS.length).join(" "));
}

type ReactionState = Pick<State, "session" | "unsentActs">;

/** The reactions to a message as they are shown, also those of this person that are not sent yet. */
function reactionsOf(message: ChatMessage, state: ReactionState): readonly ShownTally[] {
  return shownTallies(message, "reactions", myIdOf(state), unsentActsOf(message, state));
}

/** Whether this person has reacted to a message so. */
export function hasReacted(message: ChatMessage, reaction: string, state: ReactionState): boolean {
  return reactionsOf(message, state).some(({ key, isMine }) => key === reaction && isMine);
}

/** Whether people have reacted to a message. */
export function hasReactions(message: ChatMessage, state: ReactionState): boolean {
  return reactionsOf(message, state).length > 0;
}

/** Reacts to a message or, if this person has already done so, takes it back. */
export function toggleReaction(message: ChatMessage, reaction: string, { client, ui }: ActionContext): void {
  if (message.id === null) return;
  const isMine = hasReacted(message, reaction, client.getState());
  if (!isMine) rememberUsed(reaction);
  client.chats.react(ui.key, message.id, reaction, !isMine);
}

/** Reacts as the first ones did, or takes that back. */
export function joinFirstReaction(message: ChatMessage, context: ActionContext): void {
  const [first] = reactionsOf(message, context.client.getState());
  if (first !== undefined) toggleReaction(message, first.key, context);
}

/** Opens the list of those who have reacted to a message, at first of those with this reaction. */
export function showReactions({ id }: ChatMessage, ui: ConversationUi, reaction?: string): void {
  if (id !== null) showDialog(ui, ReactionsDialog, { id, first: reaction ?? null });
}

/** The group of a chat, in which its people have names of their own; 0: it is no group. */
export function groupIdOf(key: ChatKey): number {
  const chat = parseChatKey(key);
  return chat?.type === ChatType.GROUP ? chat.targetId : 0;
}

/** Who has reacted: this person first, then the names that are known, then the number of the others. */
export function reactorNames(
  { first, count, isMine }: Pick<ShownTally, keyof Tally | "isMine">,
  me: number,
  nameOf: (userId: number) => string,
  t: Translate,
): string {
  const others = first.filter((id) => id !== me).map(nameOf);
  const names = isMine ? [t("names.you"), ...others] : others;
  const listed = names.slice(0, Math.max(first.length, 1));
  const rest = count - listed.length;
  return rest > 0
    ? t("names.andOthers", { names: listed.join(t("names.between")), count: rest })
    : listNames(listed, t);
}

/** `reactorNames` with the names that people have in a chat. */
export function reactorNamesIn(state: State, key: ChatKey, tally: ShownTally, t: Translate): string {
  const groupId = groupIdOf(key);
  return reactorNames(tally, myIdOf(state), (id) => memberNameOf(state, groupId, id, null, t), t);
}
