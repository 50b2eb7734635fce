import { MessageSquare, UserRound, UsersRound } from "lucide-react";
import { receivedGroupRequestCount, receivedRequestCount, totalUnread } from "@parley/core/model/selectors";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

/** Path of the area with the chats. */
export const CHATS_PATH = "/home/chat";

/** An entry of the navigation. */
export interface Area {
  readonly path: string;
  readonly name: string;
  /** The name with its count, for screen readers and tooltips. */
  readonly label: string;
  readonly count: number;
  readonly Icon: typeof MessageSquare;
}

/** The areas of the navigation, with the number of unread messages or pending requests. */
export function useAreas(): readonly Area[] {
  const t = useText();
  const unread = useClientState((state) => totalUnread(state.chats, state.firstChats));
  const friendRequests = useClientState(receivedRequestCount);
  const groupRequests = useClientState(receivedGroupRequestCount);
  return [
    {
      path: CHATS_PATH,
      name: t("nav.chats"),
      label: unread > 0 ? t("nav.chatsUnread", { count: unread }) : t("nav.chats"),
      count: unread,
      Icon: MessageSquare,
    },
    {
      path: "/home/friend",
      name: t("nav.friends"),
      label: friendRequests > 0 ? t("nav.friendsPending", { count: friendRequests }) : t("nav.friends"),
      count: friendRequests,
      Icon: UserRound,
    },
    {
      path: "/home/group",
      name: t("nav.groups"),
      label: groupRequests > 0 ? t("nav.groupsPending", { count: groupRequests }) : t("nav.groups"),
      count: groupRequests,
      Icon: UsersRound,
    },
  ];
}
