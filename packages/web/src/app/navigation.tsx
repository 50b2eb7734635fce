import { lazy, Suspense, useRef, useState } from "react";
import { Menu as MenuIcon, MessageSquare, UserRound, UsersRound } from "lucide-react";
import { Link, useLocation } from "wouter";
import { receivedGroupRequestCount, receivedRequestCount, totalUnread } from "@parley/core/model/selectors";
import type { ChatKey } from "@parley/core/model/state";
import { chatPath } from "../kit/chats/show-message.ts";
import { goDown } from "../kit/dialogs/go-up.ts";
import { useText } from "../kit/i18n/i18n.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { nextUnread } from "../kit/chats/chat-order.ts";
import { openDialog } from "../kit/dialogs/open-dialog.ts";
import { myIdOf, usePerson } from "../kit/people/person.ts";
import { useClient, useClientState } from "../kit/loading/use-client.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_24 } from "../ui/icon-props.ts";
import styles from "./navigation.module.css";

const loadMenu = () => import("./main-menu.tsx");
const RailMenu = lazy(() => loadChunk(() => loadMenu().then((part) => ({ default: part.RailMenu }))));

/** The 60 px wide bar on the left: own avatar, areas, menu. A double click on the chats opens the next unread chat. */
export function Rail() {
  const t = useText();
  const [location] = useLocation();
  const client = useClient();
  const areas = useAreas();
  // The first of the two clicks closes the open chat, so remember it before.
  const openBefore = useRef<ChatKey | null>(null);
  const openNextUnread = () => {
    const key = nextUnread(client.getState(), openBefore.current, 1);
    if (key !== null) goDown(chatPath(key));
  };
  return (
    <nav className={styles.rail} aria-label={t("nav.label")} data-landmark="nav">
      <Myself />
      <ul className={styles.areas}>
        {areas.map(({ path, label, count, Icon }) => {
          const isCurrent = location === path || location.startsWith(`${path}/`);
          return (
            <li key={path}>
              <Link
                href={path}
                className={classNames(styles.area, isCurrent && styles.here)}
                aria-label={label}
                aria-current={isCurrent ? "page" : undefined}
                data-tip={label}
                data-tip-side="right"
                onPointerDown={(event) => {
                  if (event.detail <= 1) openBefore.current = client.getState().chats.openKey;
                }}
                onDoubleClick={path === CHATS_PATH ? openNextUnread : undefined}
              >
                <Icon {...ICON_PROPS} />
                <Badge count={count} className={styles.badge} />
              </Link>
            </li>
          );
        })}
      </ul>
      <MenuOpener />
    </nav>
  );
}

function Myself() {
  const t = useText();
  const id = useClientState(myIdOf);
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const me = usePerson(id);
  return (
    <button
      type="button"
      className={styles.myself}
      aria-label={t("nav.profile", { name: me.name })}
      aria-haspopup="dialog"
      data-tip={t("profile.title")}
      data-tip-side="right"
      onClick={() => openDialog({ kind: "profile" })}
    >
      <Avatar name={me.name} id={id} url={me.picture} isOnline={isOnline} />
    </button>
  );
}

/** Button that loads the menu's code when the pointer or the focus reaches it, and shows the menu at the first click. */
function MenuOpener() {
  const t = useText();
  const [isWanted, setWanted] = useState(false);
  const preload = () => void loadMenu().catch(() => undefined);
  const opener = (
    <IconButton
      label={t("nav.menu")}
      className={styles.menu}
      tooltipSide="right"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    >
      <MenuIcon {...ICON_PROPS} />
    </IconButton>
  );
  return isWanted ? (
    <Suspense fallback={opener}>
      <RailMenu />
    </Suspense>
  ) : (
    opener
  );
}

/** The navigation at the bottom of a small screen. */
export function TabBar() {
  const t = useText();
  const [location] = useLocation();
  const me = { path: "/home/me", name: t("nav.me"), label: t("nav.me"), count: 0, Icon: MenuIcon };
  return (
    <nav className={styles.tabBar} aria-label={t("nav.label")} data-landmark="nav">
      {[...useAreas(), me].map(({ path, name, label, count, Icon }) => (
        <Link
          key={path}
          href={path}
          className={classNames(styles.tab, location === path && styles.currentTab)}
          aria-current={location === path ? "page" : undefined}
        >
          <Icon {...ICON_PROPS_24} />
          <span className="visually-hidden">{label}</span>
          <span aria-hidden="true">{name}</span>
          <Badge count={count} className={styles.tabBadge} />
        </Link>
      ))}
    </nav>
  );
}

/** Path of the area with the chats. */
const CHATS_PATH = "/home/chat";

/** An entry of the navigation. */
interface Area {
  readonly path: string;
  readonly name: string;
  /** The name with its count, for screen readers and tooltips. */
  readonly label: string;
  readonly count: number;
  readonly Icon: typeof MessageSquare;
}

/** The areas of the navigation, with the number of unread messages or pending requests. */
function useAreas(): readonly Area[] {
  const t = useText();
  const unread = useClientState(totalUnread);
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
