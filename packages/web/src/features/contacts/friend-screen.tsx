import { useCallback, useState } from "react";
import { UserRoundPlus } from "lucide-react";
import { useParams } from "wouter";
import { ContactListPane, idInPath, NothingSelected } from "../../kit/contact-screen.tsx";
import { openDialog } from "../../kit/open-dialog.ts";
import { goDown } from "../../kit/go-up.ts";
import { useText } from "../../kit/i18n.ts";
import { useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { FriendsIllustration, ProfileIllustration } from "../../ui/lazy-illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { FriendDetail } from "./friend-detail.tsx";
import { FriendList } from "./friend-list.tsx";
import { FriendRequests, FriendRequestsPage } from "./friend-requests.tsx";
import { useFoundFriends } from "./use-found-friends.ts";

/** `/home/friend`, `/home/friend/:id` and `/home/friend/requests`: friends and requests, the selected friend, all requests. */
export function FriendScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const params = useParams();
  const selected = idInPath(params["id"]);
  const isRequestsPage = params["id"] === "requests";
  const openFriend = useCallback((id: number) => goDown(`/home/friend/${id}`), []);
  return (
    <>
      {(!isMobile || (selected === null && !isRequestsPage)) && (
        <FriendListPane selected={selected} hasRequests={!isRequestsPage} onOpen={openFriend} />
      )}
      {(!isMobile || selected !== null || isRequestsPage) && (
        <MainPane label={t(isRequestsPage ? "request.title" : "friend.detail")} background="window">
          {isRequestsPage ? (
            <FriendRequestsPage />
          ) : selected === null ? (
            <NothingSelected illustration={<ProfileIllustration />} text={t("friend.choose")} />
          ) : (
            <FriendDetail key={selected} userId={selected} />
          )}
        </MainPane>
      )}
    </>
  );
}

interface FriendListPaneProps {
  selected: number | null;
  /** Whether to show requests above the list; not while their own page is open. */
  hasRequests: boolean;
  onOpen: (id: number) => void;
}

function FriendListPane({ selected, hasRequests, onOpen }: FriendListPaneProps) {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const [typed, setFilter] = useState("");
  // A list without the field shows all, because nothing would say why some are left out.
  const filter = isCollapsed ? "" : typed;
  const sections = useFoundFriends(filter);
  const isLoaded = useClientState((state) => state.contacts.isLoaded);
  const hasFriends = sections.online.length + sections.others.length > 0;
  const openAddDialog = () => openDialog({ kind: "addFriend" });
  return (
    <ContactListPane
      label={t("friend.listPane")}
      searchLabel={t("friend.search")}
      filter={filter}
      onFilter={setFilter}
      add={
        <IconButton label={t("friend.add")} size={36} onClick={openAddDialog}>
          <UserRoundPlus {...ICON_PROPS} />
        </IconButton>
      }
      heading={selected === null && hasRequests ? t("friend.list") : null}
      requests={hasRequests && <FriendRequests />}
      isLoaded={isLoaded}
      list={
        hasFriends ? (
          <FriendList sections={sections} selected={selected} isCollapsed={isCollapsed} onOpen={onOpen} />
        ) : null
      }
      notFoundText={t("friend.searchEmpty")}
      empty={
        <EmptyState
          illustration={<FriendsIllustration />}
          text={t("friend.empty")}
          action={
            <Button variant="primary" size="small" onClick={openAddDialog}>
              {t("friend.add")}
            </Button>
          }
        />
      }
    />
  );
}
