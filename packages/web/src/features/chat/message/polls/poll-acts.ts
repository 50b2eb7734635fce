import { ChartBar, ListOrdered } from "lucide-react";
import { shownPoll } from "@parley/core/model/chats/polls";
import type { ChatMessage } from "@parley/core/model/state";
import { canAddOption, isSignUp, type Poll, type SignUpLine } from "@parley/protocol/poll";
import { memberNameOf } from "../../../../kit/chats/group.ts";
import { currentText, type Translate } from "../../../../kit/i18n/i18n.ts";
import type { Locale } from "../../../../kit/i18n/locale.ts";
import { dueTime } from "../../../../kit/i18n/time-text.ts";
import { lazyComponent } from "../../../../kit/loading/lazy-component.tsx";
import { type ActionContext, type ConversationUi, showDialog } from "../conversation-ui.ts";
import type { KindMenuItem } from "../kinds/kinds.tsx";
import { groupIdOf } from "../reactions/reaction-acts.ts";

const VotersDialog = lazyComponent(() => import("./voters-dialog.tsx").then((part) => part.VotersDialog));
const ClosePollDialog = lazyComponent(() =>
  import("./close-poll-dialog.tsx").then((part) => part.ClosePollDialog),
);

const AddOptionDialog = lazyComponent(() =>
  import("./add-option-dialog.tsx").then((part) => part.AddOptionDialog),
);

const LineDialog = lazyComponent(() => import("./line-dialog.tsx").then((part) => part.LineDialog));

/** The items of the menu of what else can be sent. */
export const pollItem: KindMenuItem = {
  icon: ChartBar,
  label: "poll.title",
  Dialog: lazyComponent(() => import("./poll-dialog.tsx").then((part) => part.PollDialog)),
};

export const signUpItem: KindMenuItem = {
  icon: ListOrdered,
  label: "signUp.title",
  Dialog: lazyComponent(() => import("./sign-up-dialog.tsx").then((part) => part.SignUpDialog)),
};

/** Whether a message is a list in which people sign up. */
export function isSignUpList({ extra }: ChatMessage): boolean {
  return extra?.poll !== undefined && isSignUp(extra.poll);
}

/** Says who has signed up with which line, by the names that people have in the chat. */
export function lineTextIn({ client, ui }: ActionContext): (line: SignUpLine) => string {
  const t = currentText();
  const nameOf = (id: number) => memberNameOf(client.getState(), groupIdOf(ui.key), id, null, t);
  return ({ by, text }) => t("signUp.line", { name: nameOf(by), text });
}

/** Asks for my line of a sign-up list. */
export function askForLine({ id }: ChatMessage, ui: ConversationUi): void {
  if (id !== null) showDialog(ui, LineDialog, { id });
}

/** Whether a message is a poll in which people can still vote. `now` is by the server's clock (epoch ms). */
export function isOpenPoll(message: ChatMessage, now: number): boolean {
  return shownPoll(message, now)?.isClosed === false;
}

/** That a poll or list has ended, or when it ends; null: its author ends it. */
export function endText(
  { closesAt }: Pick<Poll, "closesAt">,
  isClosed: boolean,
  locale: Locale,
  t: Translate,
): string | null {
  if (isClosed) return t("poll.ended");
  return closesAt === undefined ? null : t("poll.endsAt", { time: dueTime(closesAt, Date.now(), locale) });
}

/** Whether those who can vote in a poll can add options. */
export function takesOptions({ extra }: ChatMessage): boolean {
  return extra?.poll !== undefined && canAddOption(extra.poll);
}

/** Asks for an option to add. */
export function askForOption({ id }: ChatMessage, ui: ConversationUi): void {
  if (id !== null) showDialog(ui, AddOptionDialog, { id });
}

/** Whether it is shown who voted for what. */
export function hasVoters({ extra }: ChatMessage): boolean {
  return extra?.poll?.secret === false && (extra.votes ?? []).length > 0;
}

/** Shows who voted for what. */
export function showVoters({ id }: ChatMessage, ui: ConversationUi): void {
  if (id !== null) showDialog(ui, VotersDialog, { id });
}

/** Asks whether a poll shall end. */
export function askToClosePoll(message: ChatMessage, ui: ConversationUi): void {
  const { id } = message;
  if (id !== null) showDialog(ui, ClosePollDialog, { id, isList: isSignUpList(message) });
}
