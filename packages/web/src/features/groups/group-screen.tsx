import { useCallback, useState } from "react";
import { Plus, UserRoundPlus, UsersRound } from "lucide-react";
import { useLocation, useRoute } from "wouter";
import { openDialog } from "../../kit/open-dialog.ts";
import { useText } from "../../kit/i18n.ts";
import { useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { GroupsIllustration, SearchIllustration } from "../../ui/illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
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

/** `/home/group`, `/home/group/:id` and `/home/group/:id/members`: groups and requests, the selected group, all its members. */
export function GroupScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  const [, params] = useRoute("/home/group/:id/:part?");
  const selected = parseId(params?.id);
  const openGroup = useCallback((id: number) => navigate(`/home/group/${id}`), [navigate]);
  return (
    <>
      {(!isMobile || selected === null) && <GroupListPane selected={selected} onOpen={openGroup} />}
      {(!isMobile || selected !== null) && (
        <MainPane label={t("groups.detail")} background="window">
          {selected === null ? (
            <div className={styles.none}>
              <EmptyState illustration={<GroupsIllustration />} text={t("groups.choose")} />
            </div>
          ) : params?.part === "members" ? (
            <MemberList key={selected} groupId={selected} />
          ) : (
            <GroupDetail key={selected} groupId={selected} />
          )}
        </MainPane>
      )}
    </>
  );
}

function parseId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

function GroupListPane({ selected, onOpen }: { selected: number | null; onOpen: (id: number) => void }) {
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
                <Plus {...ICON_PROPS} />
              </IconButton>
            }
          >
            <MenuItem
              icon={<UsersRound {...ICON_PROPS} />}
              onSelect={() => openDialog({ kind: "createGroup" })}
            >
              {t("groups.create")}
            </MenuItem>
            <MenuItem
              icon={<UserRoundPlus {...ICON_PROPS} />}
              onSelect={() => openDialog({ kind: "joinGroup" })}
            >
              {t("groups.join")}
            </MenuItem>
          </Menu>
        </>
      }
    >
      {selected === null && <h1 className="visually-hidden">{t("groups.list")}</h1>}
      {!isFiltered && <GroupRequests />}
      {hasGroups ? (
        <GroupList sections={sections} selected={selected} isCollapsed={isCollapsed} onOpen={onOpen} />
      ) : isFiltered ? (
        <EmptyState
          illustration={<SearchIllustration />}
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
            illustration={<GroupsIllustration />}
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
