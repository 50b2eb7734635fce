import { useCallback, useState } from "react";
import { Plus, UserRoundPlus, UsersRound } from "lucide-react";
import { useRoute } from "wouter";
import { ContactListPane, idInPath, NothingSelected } from "../../kit/people/contact-screen.tsx";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { GroupsIllustration } from "../../ui/lazy-illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { GroupDetail } from "./group-detail.tsx";
import { GroupList, useFoundGroups } from "./group-list.tsx";
import { GroupRequests, GroupRequestsPage } from "./group-requests.tsx";
import { MemberList } from "./member-list.tsx";

/**
 * `/home/group`, `/home/group/:id`, `/home/group/:id/members` and `/home/group/requests`: groups and requests, the selected group, all its
 * members, all requests.
 */
export function GroupScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const [, params] = useRoute("/home/group/:id/:part?");
  const selected = idInPath(params?.id);
  const isRequestsPage = params?.id === "requests";
  const openGroup = useCallback((id: number) => goDown(`/home/group/${id}`), []);
  return (
    <>
      {(!isMobile || (selected === null && !isRequestsPage)) && (
        <GroupListPane selected={selected} hasRequests={!isRequestsPage} onOpen={openGroup} />
      )}
      {(!isMobile || selected !== null || isRequestsPage) && (
        <MainPane label={t(isRequestsPage ? "groups.requests" : "groups.detail")} background="window">
          {isRequestsPage ? (
            <GroupRequestsPage />
          ) : selected === null ? (
            <NothingSelected illustration={<GroupsIllustration />} text={t("groups.choose")} />
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

interface GroupListPaneProps {
  selected: number | null;
  /** Whether to show requests above the list; not while their own page is open. */
  hasRequests: boolean;
  onOpen: (id: number) => void;
}

function GroupListPane({ selected, hasRequests, onOpen }: GroupListPaneProps) {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const [typed, setFilter] = useState("");
  // A list without the field shows all, because nothing would say why some are left out.
  const filter = isCollapsed ? "" : typed;
  const sections = useFoundGroups(filter);
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const hasGroups = sections.managed.length + sections.joined.length > 0;
  return (
    <ContactListPane
      label={t("groups.listPane")}
      searchLabel={t("groups.search")}
      filter={filter}
      onFilter={setFilter}
      add={<AddMenu />}
      heading={selected === null && hasRequests ? t("groups.list") : null}
      requests={hasRequests && <GroupRequests />}
      isLoaded={isLoaded}
      list={
        hasGroups ? (
          <GroupList sections={sections} selected={selected} isCollapsed={isCollapsed} onOpen={onOpen} />
        ) : null
      }
      notFoundText={t("groups.searchEmpty")}
      empty={
        <EmptyState
          illustration={<GroupsIllustration />}
          text={t("groups.empty")}
          action={
            <Button variant="primary" size="small" onClick={() => openDialog({ kind: "createGroup" })}>
              {t("groups.create")}
            </Button>
          }
        />
      }
    />
  );
}

function AddMenu() {
  const t = useText();
  return (
    <Menu
      align="end"
      width={184}
      trigger={
        <IconButton label={t("groups.add")} size={36}>
          <Plus {...ICON_PROPS} />
        </IconButton>
      }
    >
      <MenuItem icon={<UsersRound {...ICON_PROPS} />} onSelect={() => openDialog({ kind: "createGroup" })}>
        {t("groups.create")}
      </MenuItem>
      <MenuItem icon={<UserRoundPlus {...ICON_PROPS} />} onSelect={() => openDialog({ kind: "joinGroup" })}>
        {t("groups.join")}
      </MenuItem>
    </Menu>
  );
}
