import type { ComponentType } from "react";
import {
  ChevronRight,
  Flag,
  Gauge,
  Megaphone,
  MessageSquare,
  MessagesSquare,
  ScrollText,
  SlidersHorizontal,
  Ticket,
  UsersRound,
} from "lucide-react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { BrokenIllustration } from "../../ui/lazy-illustrations.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { AuditPage } from "./audit-page.tsx";
import { GroupsPage } from "./groups-page.tsx";
import { InvitesPage } from "./invites-page.tsx";
import { NoticesPage } from "./notices-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { PeoplePage } from "./people-page.tsx";
import { ReportsPage } from "./reports-page.tsx";
import { SettingsPage } from "./settings-page.tsx";
import styles from "./admin-screen.module.css";

const PAGES: Readonly<Record<AdminPagePath, ComponentType>> = {
  overview: OverviewPage,
  people: PeoplePage,
  groups: GroupsPage,
  invites: InvitesPage,
  notices: NoticesPage,
  reports: ReportsPage,
  settings: SettingsPage,
  audit: AuditPage,
};

/** The administration, for people with the role. Others are told that they lack it; the server refuses their calls as well. */
export function AdminScreen() {
  const isAdmin = useClientState((state) => (state.me === null ? null : state.me.isAdmin === true));
  if (isAdmin === null) return <Waiting />;
  return isAdmin ? <Pages /> : <NoAccess />;
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <SkeletonRows />
    </div>
  );
}

function NoAccess() {
  const t = useText();
  return (
    <main id="main" className={styles.noAccess} tabIndex={-1} aria-label={t("admin.title")}>
      <h1 className="visually-hidden">{t("admin.title")}</h1>
      <EmptyState
        illustration={<BrokenIllustration />}
        text={t("admin.noAccess")}
        action={<Link href="/home/chat">{t("admin.backToChats")}</Link>}
      />
    </main>
  );
}

function Pages() {
  const isMobile = useIsMobile();
  return (
    <Row align="stretch" className={styles.screen}>
      {!isMobile && <Navigation />}
      <Switch>
        {ADMIN_PAGES.map(({ path }) => {
          const Page = PAGES[path];
          return (
            <Route key={path} path={`/admin/${path}`}>
              <Page />
            </Route>
          );
        })}
        <Route path="/admin">
          {isMobile ? <Navigation /> : <Redirect key="first" to="/admin/overview" replace />}
        </Route>
        <Route>
          <Redirect to="/admin" replace />
        </Route>
      </Switch>
    </Row>
  );
}

/** The list of the pages: beside them, on a phone a page of its own. */
function Navigation() {
  const t = useText();
  const isMobile = useIsMobile();
  const [location] = useLocation();
  const links = (
    <Stack as="ul" gap={2} className={styles.links}>
      {ADMIN_PAGES.map(({ path, Icon }) => {
        const isCurrent = location === `/admin/${path}`;
        return (
          <li key={path}>
            <Link
              href={`/admin/${path}`}
              className={classNames(styles.link, isCurrent && styles.here)}
              aria-current={isCurrent ? "page" : undefined}
            >
              <Icon {...ICON_PROPS} />
              <Text grow>{t(`admin.page.${path}`)}</Text>
              {isMobile && <ChevronRight {...ICON_PROPS_16} />}
            </Link>
          </li>
        );
      })}
      <li className={styles.back}>
        <Link href="/home/chat" className={styles.link}>
          <MessageSquare {...ICON_PROPS} />
          <Text grow>{t("admin.backToChats")}</Text>
        </Link>
      </li>
    </Stack>
  );
  if (!isMobile)
    return (
      <nav className={styles.navigation} aria-label={t("admin.title")} data-landmark="nav">
        <Row as="p" shrink={false} paddingX={12} size={16} weight="title" className={styles.title}>
          {t("admin.title")}
        </Row>
        {links}
      </nav>
    );
  return (
    <main id="main" className={styles.navigation} tabIndex={-1}>
      <Row as="h1" shrink={false} paddingX={12} size={16} weight="title" className={styles.title}>
        {t("admin.title")}
      </Row>
      <Row as="nav" align="stretch" className={styles.nav} aria-label={t("admin.title")} data-landmark="nav">
        {links}
      </Row>
    </main>
  );
}

/** The pages of the administration, by their paths below `/admin`, in the order of the navigation. */
const ADMIN_PAGES = [
  { path: "overview", Icon: Gauge },
  { path: "people", Icon: UsersRound },
  { path: "groups", Icon: MessagesSquare },
  { path: "invites", Icon: Ticket },
  { path: "notices", Icon: Megaphone },
  { path: "reports", Icon: Flag },
  { path: "settings", Icon: SlidersHorizontal },
  { path: "audit", Icon: ScrollText },
] as const;

/** The path of a page below `/admin`; also the last part of the key of its name. */
type AdminPagePath = (typeof ADMIN_PAGES)[number]["path"];
