import { MessageSquare, UserRound, UsersRound } from "lucide-react";
import { receivedGroupRequestCount, receivedRequestCount, totalUnread } from "@parley/core/model/selectors";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

export const CHATS_PATH = "/home/chat";

export interface Area {
  readonly path: string;
  readonly name: string;
  /** The name with its count, for screen readers and tooltips. */
  readonly label: string;
  readonly count: number;
  readonly Icon: typeof MessageSquare;
}

/** What the navigation leads to, with what waits there. */
export function useAreas(): readonly Area[] {
  const t = useText();
  const unread = useClientState((state) => totalUnread(state.chats));
  const pending = useClientState(receivedRequestCount);
  const joining = useClientState(receivedGroupRequestCount);
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
      label: pending > 0 ? t("nav.friendsPending", { count: pending }) : t("nav.friends"),
      count: pending,
      Icon: UserRound,
    },
    {
      path: "/home/group",
      name: t("nav.groups"),
      label: joining > 0 ? t("nav.groupsPending", { count: joining }) : t("nav.groups"),
      count: joining,
      Icon: UsersRound,
    },
  ];
}
