import { useCallback, useState } from "react";
import { Plus, UserRoundPlus, UsersRound } from "lucide-react";
import { useLocation, useRoute } from "wouter";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchDrawing } from "../../ui/drawings.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { GroupsDrawing } from "../../ui/more-drawings.tsx";
import { ICON } from "../../ui/icon.ts";
import { ListPane, MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { GroupDetail } from "./group-detail.tsx";
import { GroupList } from "./group-list.tsx";
import { GroupRequests } from "./group-requests.tsx";
import { MemberList } from "./member-list.tsx";
import { useFoundGroups } from "./use-found-groups.ts";
import styles from "./group-screen.module.css";

/** `/home/group`, `/home/group/:id` and `/home/group/:id/members`: groups and requests, the group that is chosen, all its members. */
export function GroupScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  const [, one] = useRoute("/home/group/:id/:part?");
  const chosen = idOf(one?.id);
  const goTo = useCallback((id: number) => navigate(`/home/group/${id}`), [navigate]);
  return (
    <>
      {(!isMobile || chosen === null) && <GroupListPane chosen={chosen} onOpen={goTo} />}
      {(!isMobile || chosen !== null) && (
        <MainPane label={t("groups.detail")} ground="bg">
          {chosen === null ? (
            <div className={styles.none}>
              <EmptyState drawing={<GroupsDrawing />} text={t("groups.choose")} />
            </div>
          ) : one?.part === "members" ? (
            <MemberList key={chosen} groupId={chosen} />
          ) : (
            <GroupDetail key={chosen} groupId={chosen} />
          )}
        </MainPane>
      )}
    </>
  );
}

function idOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

function GroupListPane({ chosen, onOpen }: { chosen: number | null; onOpen: (id: number) => void }) {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const [filter, setFilter] = useState("");
  const sections = useFoundGroups(filter);
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const isFiltered = filter.trim() !== "";
  const hasGroups = sections.managed.length + sections.joined.length > 0;
  return (
    <ListPane
      label={t("groups.listPane")}
      header={
        <>
          {!isCollapsed && (
            <SearchBox
              label={t("groups.search")}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          )}
          <Menu
            align="end"
            width={184}
            trigger={
              <IconButton label={t("groups.add")} size={36}>
                <Plus {...ICON} />
              </IconButton>
            }
          >
            <MenuItem icon={<UsersRound {...ICON} />} onSelect={() => openDialog({ kind: "createGroup" })}>
              {t("groups.create")}
            </MenuItem>
            <MenuItem icon={<UserRoundPlus {...ICON} />} onSelect={() => openDialog({ kind: "joinGroup" })}>
              {t("groups.join")}
            </MenuItem>
          </Menu>
        </>
      }
    >
      {chosen === null && <h1 className="visually-hidden">{t("groups.list")}</h1>}
      {!isFiltered && <GroupRequests />}
      {hasGroups ? (
        <GroupList sections={sections} chosen={chosen} isCollapsed={isCollapsed} onOpen={onOpen} />
      ) : isFiltered ? (
        <EmptyState
          drawing={<SearchDrawing />}
          text={t("groups.searchEmpty")}
          action={
            <Button size="small" onClick={() => setFilter("")}>
              {t("friend.clearSearch")}
            </Button>
          }
        />
      ) : isLoaded ? (
        !isCollapsed && (
          <EmptyState
            drawing={<GroupsDrawing />}
            text={t("groups.empty")}
            action={
              <Button variant="primary" size="small" onClick={() => openDialog({ kind: "createGroup" })}>
                {t("groups.create")}
              </Button>
            }
          />
        )
      ) : (
        <SkeletonRows />
      )}
    </ListPane>
  );
}
