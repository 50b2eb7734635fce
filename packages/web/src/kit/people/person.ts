import { useEffect, useMemo, useState } from "react";
import { ChatType, Terminal } from "@parley/protocol/codes";
import type { FriendVO, UserInfo } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { asksLastSeen } from "@parley/core/model/contacts/last-seen";
import type { State } from "@parley/core/model/state";
import type { Client } from "@parley/core/client-api";
import { bannedPerson } from "@parley/core/model/selectors";
import { useLocale, useText } from "../i18n/i18n.ts";
import type { Translate } from "../i18n/i18n.ts";
import { lastSeenText } from "../i18n/time-text.ts";
import { useClient, useClientState } from "../loading/use-client.ts";

/** A person as screens show them: a friend, oneself, a search result, or somebody unknown. */
export interface Person {
  readonly id: number;
  /** Remark if set, else nickname, else user name; a generated name for somebody unknown (protocol §12). */
  readonly name: string;
  /** Absolute url of the small picture. */
  readonly picture: string | null;
  /** Absolute url of the whole picture. */
  readonly wholePicture: string | null;
  readonly isOnline: boolean;
  /** My relationship with them. `ended`: a former friend. */
  readonly relation: "me" | "friend" | "ended" | "stranger";
}

/** My user id; 0 if nobody is signed in. */
export function myIdOf({ session }: Pick<State, "session">): number {
  return session.kind === "anonymous" ? 0 : session.userId;
}

/** Name of a person, from what is known of them. */
export function personName(
  id: number,
  { contacts, me, firstChats }: Pick<State, "contacts" | "me"> & Partial<Pick<State, "firstChats">>,
  t: Translate,
): string {
  return me?.id === id
    ? nameFrom(id, undefined, me, t)
    : nameFrom(id, contacts.friends[id], contacts.users[id] ?? firstPerson(id, firstChats), t);
}

/** What the view of the first chats knows of a person, until their profile is here. */
function firstPerson(id: number, firstChats: State["firstChats"] | undefined): KnownPerson | undefined {
  const first = firstChats?.byKey[chatKey(ChatType.PRIVATE, id)];
  if (first === undefined) return undefined;
  return { nickName: first.name ?? "", userName: "", headImage: first.headImage, headImageThumb: null };
}

type KnownPerson = Pick<UserInfo, "nickName" | "userName" | "headImage" | "headImageThumb">;

function nameFrom(
  id: number,
  friend: FriendVO | undefined,
  user: Pick<UserInfo, "nickName" | "userName"> | undefined,
  t: Translate,
): string {
  return friend?.showNickName || user?.nickName || user?.userName || t("person.unknown", { id: String(id) });
}

/** A person as screens show them. The object keeps its identity until something about that person changes. */
export function usePerson(id: number): Person {
  const t = useText();
  const client = useClient();
  const isMe = useClientState((state) => state.session.kind !== "anonymous" && state.session.userId === id);
  // The row that pins my own chat says nothing about me.
  const friend = useClientState((state) => (isMe ? undefined : state.contacts.friends[id]));
  const profile = useClientState((state) => (state.me?.id === id ? state.me : state.contacts.users[id]));
  const firstChats = useClientState((state) => state.firstChats);
  const isOnline = useClientState(
    (state) => state.connection.kind === "online" && (state.contacts.online[id]?.length ?? 0) > 0,
  );
  return useMemo(() => {
    const user = profile ?? firstPerson(id, firstChats);
    const shown = friend ?? user;
    const relation = isMe ? "me" : friend === undefined ? "stranger" : friend.isDeleted ? "ended" : "friend";
    const picture = smallPictureUrl(client, shown);
    const wholePicture = user?.headImage || shown?.headImage;
    return {
      id,
      name: nameFrom(id, friend, user, t),
      picture,
      wholePicture: wholePicture ? client.fileUrl(wholePicture) : picture,
      // The server sends presence only for friends and for oneself.
      isOnline: isOnline && (relation === "friend" || relation === "me"),
      relation,
    };
  }, [id, isMe, friend, profile, firstChats, isOnline, t, client]);
}

/** "Online · phone", "Offline"; unknown while this client itself is not connected. */
export function usePresence(id: number): string {
  const t = useText();
  const terminals = useClientState((state) => state.contacts.online[id]);
  const isLive = useClientState((state) => state.connection.kind === "online");
  if (!isLive) return t("presence.unknown");
  if (terminals === undefined || terminals.length === 0) return t("presence.offline");
  const hasPhone = terminals.includes(Terminal.APP);
  const hasDesktop = terminals.some((terminal) => terminal !== Terminal.APP);
  if (hasPhone && hasDesktop) return t("presence.both");
  return t(hasPhone ? "presence.phone" : "presence.desktop");
}

const REFRESH_LAST_SEEN_MS = 60_000;

/** The same where it says of a friend who is offline when they were last seen, if the server tells it. */
export function useLastSeen(id: number): string {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const presence = usePresence(id);
  const [seen, setSeen] = useState<{
    readonly id: number;
    readonly time: number;
    readonly now: number;
  } | null>(null);
  const isAsked = useClientState((state) => asksLastSeen(state, id));
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const ask = async () => {
      const answer = await client.contacts.lastSeen(id);
      const now = Date.now() - client.getState().clockAheadMs;
      if (isCurrent) setSeen(answer.ok && answer.value !== null ? { id, time: answer.value, now } : null);
    };
    void ask();
    const timer = window.setInterval(() => void ask(), REFRESH_LAST_SEEN_MS);
    return () => {
      isCurrent = false;
      window.clearInterval(timer);
      setSeen(null);
    };
  }, [client, id, isAsked]);
  return isAsked && seen?.id === id ? lastSeenText(seen.time, seen.now, locale, t) : presence;
}

/** A person or a group with a picture, as the server sends both. */
interface PictureOwner {
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
}

/** The URL of the small picture of a person or a group, else of the whole one; null: there is none. */
export function smallPictureUrl(
  client: Pick<Client, "fileUrl">,
  owner: PictureOwner | undefined,
): string | null {
  const picture = owner?.headImageThumb || owner?.headImage;
  return picture ? client.fileUrl(picture) : null;
}

/** The sentence that says that an administrator has banned this person (spec §8); null if they are not known to be banned. */
export function useBanned(userId: number): string | null {
  const t = useText();
  const banned = useClientState((state) => bannedPerson(state, userId));
  return banned === null ? null : t("card.banned", { reason: banned.reason ?? "" });
}
