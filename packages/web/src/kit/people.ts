import { useMemo } from "react";
import type { State } from "@parley/core/model/state";
import { useText } from "./i18n.ts";
import { useClient, useClientState } from "./use-client.ts";

/** What screens show of anybody: a friend, oneself, someone found by a search, or nobody known. */
export interface Person {
  readonly id: number;
  /** Remark if set, else nickname, else user name; a made-up name for somebody unknown (protocol §12). */
  readonly name: string;
  /** Absolute url of the small picture. */
  readonly picture: string | null;
  readonly isOnline: boolean;
  readonly isFriend: boolean;
}

/** Keeps its identity until something about that person changes. */
export function usePerson(id: number): Person {
  const t = useText();
  const client = useClient();
  const friend = useClientState((state) => state.contacts.friends[id]);
  const user = useClientState((state) => (state.me?.id === id ? state.me : state.contacts.users[id]));
  const isOnline = useClientState((state) => isOnlineIn(state, id));
  return useMemo(() => {
    const known = friend?.showNickName ?? (user === undefined ? "" : user.nickName || user.userName);
    const picture = friend?.headImageThumb ?? user?.headImageThumb ?? null;
    return {
      id,
      name: known === "" ? t("person.unknown", { id }) : known,
      picture: picture === null || picture === "" ? null : client.fileUrl(picture),
      isOnline,
      isFriend: friend !== undefined && !friend.isDeleted,
    };
  }, [id, friend, user, isOnline, t, client]);
}

function isOnlineIn(state: State, id: number): boolean {
  return (state.contacts.online[id]?.length ?? 0) > 0;
}
