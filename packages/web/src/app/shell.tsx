import { Suspense, useRef } from "react";
import { Redirect, Route, Switch, useLocation, useRoute } from "wouter";
import { PaneLayoutProvider } from "../ui/list-pane.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { TooltipLayer } from "../ui/tooltip.tsx";
import { useIsMobile } from "../ui/use-media.ts";
import { CallHost } from "./call-host.tsx";
import { DialogHost } from "./dialog-host.tsx";
import { PictureHost } from "./picture-host.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import styles from "./shell.module.css";
import { goUp } from "../kit/go-up.ts";
import { lazyScreen } from "../kit/lazy-component.tsx";
import { useSavedOtherSettings } from "../kit/other-settings.ts";
// The chat screen is part of the shell chunk; the other screens are lazy.
import { ChatScreen } from "../features/chat/chat-screen.tsx";
import { ShellBars } from "./shell-bars.tsx";
import { Rail } from "./rail.tsx";
import { SkipLink } from "./skip-link.tsx";
import { TabBar } from "./tab-bar.tsx";
import { useAreaShortcuts } from "./use-area-shortcuts.ts";
import { useDialogShortcuts } from "./use-dialog-shortcuts.ts";
import { useLandmarkShortcuts } from "./use-landmark-shortcuts.ts";
import { useNotifications } from "./use-notifications.ts";
import { useOfflinePrefetch } from "./use-offline-prefetch.ts";
import { useSharedContent } from "./use-shared-content.ts";
import { useShownChat } from "./use-shown-chat.ts";
import { useUnreadBadge } from "./use-unread-badge.ts";
import { useNudge } from "./use-nudge.ts";
import { useSwipeBack } from "./use-swipe-back.ts";
import { useSidebar } from "./use-sidebar.tsx";
import { WindowTitle } from "./window-title.tsx";

const Friends = lazyScreen(() =>
  import("../features/contacts/friend-screen.tsx").then((part) => part.FriendScreen),
);
const Groups = lazyScreen(() =>
  import("../features/groups/group-screen.tsx").then((part) => part.GroupScreen),
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
  const screen = useRef<HTMLDivElement>(null);
  useSwipeBack(screen);
  return (
    <PaneLayoutProvider value={layout}>
      <WindowTitle />
      <SkipLink />
      <div className={styles.shell}>
        {!isMobile && <Rail />}
        <div ref={screen} className={styles.screen}>
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
        </div>
        {isMobile && !isChatOpen && !isFriendOpen && !isGroupOpen && !isSettings && <TabBar />}
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
    <div className={styles.waiting}>
      <SkeletonRows />
    </div>
  );
}
