import { useState } from "react";
import { RequestSource } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, UserInfo } from "@parley/protocol/entities";
import { isVisible } from "@parley/protocol/text";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { smallPictureUrl } from "../../kit/people/person.ts";
import { isRemarkValid, RemarkField } from "../../kit/forms/remark-field.tsx";
import {
  SearchPanel,
  SearchPanelNote,
  SearchPanelRequestForm,
  SearchPanelRow,
  useServerSearch,
} from "../../kit/search/search-panel.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useRequestAnswer } from "../../kit/people/use-request-answer.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FailureText } from "../../ui/failure-text.tsx";
import { openChatWith } from "./open-chat-with.ts";
import { useSendFriendRequest } from "./use-send-friend-request.ts";

/** Finds people by a part of their name and sends friend requests. */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { contacts } = useClient();
  const search = useServerSearch<UserInfo>({
    find: (name) => (!isVisible(name) ? t("search.keywordNeeded") : contacts.search(name.trim())),
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("friend.add")} width={480} isFlush>
      <SearchPanel
        search={search}
        label={t("friend.findLabel")}
        hint={t("friend.findHint")}
        emptyText={t("friend.findEmpty")}
        renderFailure={(failure) => <FailureText text={failureText(failure, t)} />}
      >
        {(person) => (
          <FoundPerson key={person.id} person={person} onCloseDialog={onClose} onDone={search.focus} />
        )}
      </SearchPanel>
    </Dialog>
  );
}

interface FoundPersonProps {
  person: UserInfo;
  /** Closes the dialog, because e.g. the chat with this person opens. */
  onCloseDialog: () => void;
  /** The request was sent or cancelled. Its form, which had the focus, is closed. */
  onDone: () => void;
}

/** A found person, and the possible action: send a request, wait, accept, or write. */
export function FoundPerson({ person, onCloseDialog, onDone }: FoundPersonProps) {
  const client = useClient();
  const [isFormOpen, setFormOpen] = useState(false);
  return (
    <SearchPanelRow
      data-person={person.id}
      avatar={
        <Avatar
          name={person.nickName || person.userName}
          url={smallPictureUrl(client, person)}
          id={person.id}
          size={40}
        />
      }
      name={person.nickName || person.userName}
      second={person.userName}
      below={
        isFormOpen && (
          <ApplyForm
            person={person}
            onDone={() => {
              setFormOpen(false);
              onDone();
            }}
          />
        )
      }
    >
      {!isFormOpen && (
        <RelationshipActions
          person={person}
          onOpenForm={() => setFormOpen(true)}
          onCloseDialog={onCloseDialog}
        />
      )}
    </SearchPanelRow>
  );
}

function RelationshipActions({
  person,
  onOpenForm,
  onCloseDialog,
}: Omit<FoundPersonProps, "onDone"> & { onOpenForm: () => void }) {
  const t = useText();
  const openChatAndCloseDialog = (userId: number) => {
    openChatWith(userId);
    onCloseDialog();
  };
  const me = useClientState((state) => state.me?.id ?? null);
  const friend = useClientState((state) => state.contacts.friends[person.id]);
  const requests = useClientState((state) => state.contacts.requests);
  const relationship = relationshipOf(person.id, me, friend, requests);
  const { answer, isBusy } = useRequestAnswer(
    relationship.kind === "requestReceived" ? relationship.requestId : 0,
    openChatAndCloseDialog,
  );
  switch (relationship.kind) {
    case "me":
      return <SearchPanelNote>{t("friend.self")}</SearchPanelNote>;
    case "friend":
      return (
        <Button size="small" onClick={() => openChatAndCloseDialog(person.id)}>
          {t("friend.message")}
        </Button>
      );
    case "requestSent":
      return <SearchPanelNote>{t("friend.pending")}</SearchPanelNote>;
    case "requestReceived":
      return (
        <Button variant="primary" size="small" isBusy={isBusy} onClick={() => answer("approve")}>
          {t("request.approve")}
        </Button>
      );
    case "stranger":
      return (
        <Button variant="primary" size="small" onClick={onOpenForm}>
          {t("friend.addShort")}
        </Button>
      );
  }
}

function ApplyForm({ person, onDone }: { person: UserInfo; onDone: () => void }) {
  const t = useText();
  const [remark, setRemark] = useState("");
  const { sendRequest, isBusy } = useSendFriendRequest();
  const send = async () => {
    if (await sendRequest(person.id, remark, RequestSource.SEARCH)) onDone();
  };
  return (
    <SearchPanelRequestForm
      submit={t("friend.apply")}
      isBusy={isBusy}
      isValid={isRemarkValid(remark)}
      onSubmit={() => void send()}
      onCancel={onDone}
    >
      <RemarkField placeholder={t("friend.applyHint")} value={remark} onChange={setRemark} />
    </SearchPanelRequestForm>
  );
}

/** My relationship with a person. */
type Relationship =
  | { readonly kind: "me" | "friend" | "stranger" }
  /** I sent a request, which is pending. */
  | { readonly kind: "requestSent"; readonly requestId: number }
  /** They sent a request, which I have to answer. */
  | { readonly kind: "requestReceived"; readonly requestId: number };

/** Computes my relationship with a person. `requests` are the pending ones. */
export function relationshipOf(
  userId: number,
  me: number | null,
  friend: FriendVO | undefined,
  requests: readonly FriendRequestVO[],
): Relationship {
  if (userId === me) return { kind: "me" };
  if (friend !== undefined && !friend.isDeleted) return { kind: "friend" };
  const received = requests.find((request) => request.sendId === userId);
  if (received !== undefined) return { kind: "requestReceived", requestId: received.id };
  const sent = requests.find((request) => request.recvId === userId);
  return sent === undefined ? { kind: "stranger" } : { kind: "requestSent", requestId: sent.id };
}
