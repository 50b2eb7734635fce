import { useCallback, useState } from "react";
import { UserRoundPlus } from "lucide-react";
import { useParams } from "wouter";
import { receivedRequestCount } from "@parley/core/model/selectors";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { ContactListPane, idInPath, NothingSelected } from "../../kit/people/contact-screen.tsx";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import {
  ApproveOrReject,
  RequestActions,
  RequestCard,
  RequestsBlock,
  RequestsPage,
} from "../../kit/people/requests-page.tsx";
import { sourceText, useRequestAnswer } from "../../kit/people/use-request-answer.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { FriendsIllustration, ProfileIllustration } from "../../ui/lazy-illustrations.tsx";
import { MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { FriendDetail } from "./friend-detail.tsx";
import { FriendList, useFoundFriends } from "./friend-list.tsx";
import { openChatWith } from "./open-chat-with.ts";

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

/** Unanswered requests above the list of friends. */
export function FriendRequests() {
  const t = useText();
  const cards = useFriendRequestCards();
  const count = useClientState(receivedRequestCount);
  if (cards.length === 0) return null;
  return (
    <RequestsBlock
      title={t("request.title")}
      icon={<UserRoundPlus {...ICON_PROPS} />}
      count={count}
      allPath="/home/friend/requests"
      cards={cards}
    />
  );
}

/** `/home/friend/requests`: all unanswered requests. */
export function FriendRequestsPage() {
  const t = useText();
  const isLoaded = useClientState((state) => state.contacts.isLoaded);
  return (
    <RequestsPage
      title={t("request.title")}
      parentPath="/home/friend"
      isLoaded={isLoaded}
      cards={useFriendRequestCards()}
    />
  );
}

function useFriendRequestCards() {
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  return requests.map((request) => (
    <FriendRequestCard key={request.id} request={request} isMine={request.sendId === me} />
  ));
}

function FriendRequestCard({ request, isMine }: { request: FriendRequestVO; isMine: boolean }) {
  const t = useText();
  const { answer, isBusy } = useRequestAnswer(request.id, openChatWith);
  const other = isMine
    ? { id: request.recvId, name: request.recvNickName, picture: request.recvHeadImage }
    : { id: request.sendId, name: request.sendNickName, picture: request.sendHeadImage };
  return (
    <RequestCard
      requestId={request.id}
      person={other}
      note={t(isMine ? "request.waiting" : "request.wants")}
      more={isMine ? null : sourceText(request.source, t)}
      remark={request.remark}
    >
      {isMine ? (
        <RequestActions>
          <Button size="small" isWide isBusy={isBusy} onClick={() => answer("recall")}>
            {t("request.recall")}
          </Button>
        </RequestActions>
      ) : (
        <ApproveOrReject isBusy={isBusy} answer={answer} />
      )}
    </RequestCard>
  );
}
