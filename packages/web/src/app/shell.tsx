import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Redirect, Route, Switch, useLocation, useRoute } from "wouter";
import { clampSidebar } from "@parley/core/model/format";
import { ChatScreen } from "../features/chat/chat-screen.tsx";
import { chooseChatView } from "../features/chat/list/chat-filters.tsx";
import { goUp } from "../kit/dialogs/go-up.ts";
import { useText } from "../kit/i18n/i18n.ts";
import { lazyScreen } from "../kit/loading/lazy-component.tsx";
import { openDialog } from "../kit/dialogs/open-dialog.ts";
import { useSavedOtherSettings } from "../kit/settings/user-settings.ts";
import { readPreference, writePreference } from "../kit/settings/preferences.ts";
import { useClient } from "../kit/loading/use-client.ts";
import { hasSharedContent } from "../platform/shared-content.ts";
import { Row, Stack } from "../ui/layout.tsx";
import { type PaneLayout, PaneLayoutProvider, SIDEBAR_DEFAULT_PX } from "../ui/list-pane.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { TooltipLayer } from "../ui/tooltip.tsx";
import { useIsMobile } from "../ui/use-media.ts";
import { useAreaShortcuts, useDialogShortcuts, useLandmarkShortcuts } from "./app-shortcuts.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { CallHost, DialogHost, PictureHost, useShownChat } from "./hosts.tsx";
import { Rail, TabBar } from "./navigation.tsx";
import { useNotifications } from "./notifications.ts";
import { ShellBars } from "./shell-bars.tsx";
import { useOfflinePrefetch } from "./use-offline-prefetch.ts";
import { useSwipeBack } from "./use-swipe-back.ts";
import { useUnreadBadge, WindowTitle } from "./window-title.tsx";
import styles from "./shell.module.css";

// The chat screen is part of the shell chunk; the other screens are lazy.

const Friends = lazyScreen(() =>
  import("../features/contacts/friend-screen.tsx").then((part) => part.FriendScreen),
);
const Groups = lazyScreen(() =>
  import("../features/groups/group-screen.tsx").then((part) => part.GroupScreen),
);
const Saved = lazyScreen(() =>
  import("../features/chat/saved/saved-screen.tsx").then((part) => part.SavedScreen),
);
const Me = lazyScreen(() => import("./me-screen.tsx").then((part) => part.MeScreen));
const Settings = lazyScreen(() => import("./settings-chunk.ts").then((part) => part.SettingsScreen));

const BAR = <ShellBars />;

/** The shell after sign-in (spec §2): navigation on the left, or at the bottom of a small screen, and the screen of the route. */
export function Shell() {
  const isMobile = useIsMobile();
  const layout = useSidebar(BAR);
  const [location] = useLocation();
  // Key of the error boundary: an error in one area, such as `/home/chat`, must not replace the other areas.
  const area = location.split("/", 3).join("/");
  const [isChatOpen] = useRoute("/home/chat/:key");
  const [isFriendOpen] = useRoute("/home/friend/:id");
  const [isGroupOpen] = useRoute("/home/group/:id/:part?");
  const [isSettings] = useRoute("/home/me/settings");
  const [isSaved] = useRoute("/home/me/saved");
  useNotifications();
  useSavedOtherSettings();
  useAreaShortcuts();
  useDialogShortcuts();
  useLandmarkShortcuts();
  useOfflinePrefetch();
  useSharedContent();
  useNudge();
  useShownChat();
  useUnreadBadge();
  // Who signs in next begins with all chats.
  useEffect(() => () => chooseChatView("all"), []);
  const screen = useRef<HTMLDivElement>(null);
  useSwipeBack(screen);
  return (
    <PaneLayoutProvider value={layout}>
      <WindowTitle />
      <SkipLink />
      <div className={styles.shell}>
        {!isMobile && <Rail />}
        <Row ref={screen} align="stretch" grow>
          <ErrorBoundary key={area}>
            <Suspense fallback={<ScreenSkeleton />}>
              <Switch>
                <Route path="/home/chat/:key?">
                  <ChatScreen />
                </Route>
                <Route path="/home/friend/:id?">
                  <Friends />
                </Route>
                <Route path="/home/group/:id?/:part?">
                  <Groups />
                </Route>
                <Route path="/home/me/saved">
                  <Saved />
                </Route>
                <Route path="/home/me/settings">
                  {isMobile ? <SettingsPage /> : <Redirect key="settings" to="/home/chat" replace />}
                </Route>
                <Route path="/home/me">
                  {isMobile ? <Me /> : <Redirect key="me" to="/home/chat" replace />}
                </Route>
                <Route>
                  <Redirect to="/home/chat" replace />
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </Row>
        {isMobile && !isChatOpen && !isFriendOpen && !isGroupOpen && !isSettings && !isSaved && <TabBar />}
      </div>
      <DialogHost />
      <PictureHost />
      <CallHost />
      <TooltipLayer />
    </PaneLayoutProvider>
  );
}

/** The settings on a small screen; "back" leads to the tab "Me". */
function SettingsPage() {
  return <Settings onBack={() => goUp("/home/me")} />;
}

function ScreenSkeleton() {
  return (
    <Stack shrink={false} className={styles.waiting}>
      <SkeletonRows />
    </Stack>
  );
}

/** Link that skips the navigation; the first tab stop of the page. */
function SkipLink() {
  const t = useText();
  return (
    <a
      className={styles.skip}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}
    >
      {t("app.skip")}
    </a>
  );
}

/** Width and collapsed state of the list, saved in this browser (spec §3). */
function useSidebar(banner: ReactNode): PaneLayout {
  const viewport = useSyncExternalStore(subscribe, () => innerWidth);
  const [wantedWidth, setWantedWidth] = useState(savedWidth);
  const [isCollapsed, setCollapsed] = useState(() => readPreference("listCollapsed") === "true");
  const [min, max] = [clampSidebar(0, viewport), clampSidebar(Number.MAX_SAFE_INTEGER, viewport)];
  const width = clampSidebar(wantedWidth, viewport);
  return useMemo(
    () => ({
      width,
      minWidth: min,
      maxWidth: max,
      defaultWidth: clampSidebar(SIDEBAR_DEFAULT_PX, viewport),
      isCollapsed,
      banner,
      setWidth(next) {
        writePreference("sidebarWidth", String(next));
        setWantedWidth(next);
      },
      setCollapsed(next) {
        writePreference("listCollapsed", next ? "true" : null);
        setCollapsed(next);
      },
    }),
    [width, min, max, viewport, isCollapsed, banner],
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
}

function savedWidth(): number {
  const saved = Number.parseFloat(readPreference("sidebarWidth") ?? "");
  return Number.isFinite(saved) ? Math.round(saved) : SIDEBAR_DEFAULT_PX;
}

/** Asks for a chat if another app has shared something. */
function useSharedContent(): void {
  useEffect(() => {
    hasSharedContent().then(
      (isThere) => isThere && openDialog({ kind: "share" }),
      // The browser refuses storage, so nothing was stored for this page.
      () => undefined,
    );
  }, []);
}

const SHAKE_MS = 500;
const OFFSETS_PX = [0, -8, 8, -7, 7, -5, 5, -2, 0];

/** Shakes the window when somebody sends a nudge, on every screen, unless the person prefers reduced motion. */
function useNudge(): void {
  const client = useClient();
  useEffect(() => client.onNotice((notice) => notice.kind === "nudge" && shakeWindow()), [client]);
}

function shakeWindow(): void {
  const root = document.getElementById("root");
  if (root === null || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // Nudges during an animation do not start another one.
  if (root.getAnimations().length > 0) return;
  root.animate(
    OFFSETS_PX.map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: SHAKE_MS, id: "shake" },
  );
}
