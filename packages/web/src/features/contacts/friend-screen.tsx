import { useCallback, useState } from "react";
import { UserRoundPlus } from "lucide-react";
import { useLocation, useParams } from "wouter";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchDrawing } from "../../ui/drawings.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FriendsDrawing, ProfileDrawing } from "../../ui/more-drawings.tsx";
import { ICON } from "../../ui/icon.ts";
import { ListPane, MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { FriendDetail } from "./friend-detail.tsx";
import { FriendList } from "./friend-list.tsx";
import { Requests, RequestsPage } from "./requests.tsx";
import { useFoundFriends } from "./use-found-friends.ts";
import styles from "./friend-screen.module.css";

/** `/home/friend`, `/home/friend/:id` and `/home/friend/requests`: friends and requests, the friend that is chosen, all requests. */
export function FriendScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  const params = useParams();
  const chosen = idOf(params["id"]);
  const hasRequests = params["id"] === "requests";
  const goTo = useCallback((id: number) => navigate(`/home/friend/${id}`), [navigate]);
  return (
    <>
      {(!isMobile || (chosen === null && !hasRequests)) && (
        <FriendListPane chosen={chosen} hasRequests={!hasRequests} onOpen={goTo} />
      )}
      {(!isMobile || chosen !== null || hasRequests) && (
        <MainPane label={t(hasRequests ? "request.title" : "friend.detail")} ground="bg">
          {hasRequests ? (
            <RequestsPage />
          ) : chosen === null ? (
            <div className={styles.none}>
              <EmptyState drawing={<ProfileDrawing />} text={t("friend.choose")} />
            </div>
          ) : (
            <FriendDetail key={chosen} userId={chosen} />
          )}
        </MainPane>
      )}
    </>
  );
}

function idOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

interface FriendListPaneProps {
  chosen: number | null;
  /** Requests stand above the list; not while their own page shows them. */
  hasRequests: boolean;
  onOpen: (id: number) => void;
}

function FriendListPane({ chosen, hasRequests, onOpen }: FriendListPaneProps) {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const [filter, setFilter] = useState("");
  const sections = useFoundFriends(filter);
  const isLoaded = useClientState((state) => state.contacts.isLoaded);
  const isFiltered = filter.trim() !== "";
  const hasFriends = sections.online.length + sections.others.length > 0;
  const add = () => openDialog({ kind: "addFriend" });
  return (
    <ListPane
      label={t("friend.listPane")}
      header={
        <>
          {!isCollapsed && (
            <SearchBox
              label={t("friend.search")}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          )}
          <IconButton label={t("friend.add")} size={36} onClick={add}>
            <UserRoundPlus {...ICON} />
          </IconButton>
        </>
      }
    >
      {chosen === null && hasRequests && <h1 className="visually-hidden">{t("friend.list")}</h1>}
      {!isFiltered && hasRequests && <Requests />}
      {hasFriends ? (
        <FriendList sections={sections} chosen={chosen} isCollapsed={isCollapsed} onOpen={onOpen} />
      ) : isFiltered ? (
        <EmptyState
          drawing={<SearchDrawing />}
          text={t("friend.searchEmpty")}
          action={
            <Button size="small" onClick={() => setFilter("")}>
              {t("friend.clearSearch")}
            </Button>
          }
        />
      ) : isLoaded ? (
        !isCollapsed && (
          <EmptyState
            drawing={<FriendsDrawing />}
            text={t("friend.empty")}
            action={
              <Button variant="primary" size="small" onClick={add}>
                {t("friend.add")}
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
