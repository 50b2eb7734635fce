import { useState } from "react";
import { ChatType, JoinMode } from "@parley/protocol/codes";
import type { GroupCard } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { joinModeOf } from "@parley/core/model/groups/groups-state";
import { chatPath } from "../../kit/chat-path.ts";
import { goDown } from "../../kit/go-up.ts";
import { smallPictureUrl } from "../../kit/picture-url.ts";
import { SearchPanelNote, SearchPanelRow } from "../../kit/search-panel.tsx";
import { useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { JoinRequestForm } from "./join-request-form.tsx";
import { useGroupMembership } from "./use-group-membership.ts";

interface FoundGroupProps {
  group: GroupCard;
  /** Closes the dialog, because e.g. the chat of this group opens. */
  onCloseDialog: () => void;
  /** The request was sent or cancelled. Its form, which had the focus, is closed. */
  onDone: () => void;
}

/** A found group, and the possible action: send a request, wait, or write. */
export function FoundGroup({ group, onCloseDialog, onDone }: FoundGroupProps) {
  const t = useText();
  const client = useClient();
  const membership = useGroupMembership(group.id);
  const wasRemoved = useClientState((state) => state.groups.byId[group.id]?.wasRemoved === true);
  const [isFormOpen, setFormOpen] = useState(false);
  const mode = joinModeOf(group);
  return (
    <SearchPanelRow
      data-group={group.id}
      avatar={
        <Avatar
          name={group.name}
          url={smallPictureUrl(client, group)}
          id={group.id}
          size={40}
          shape="rounded"
        />
      }
      name={group.name}
      second={
        <>
          {/* Only those who are or were in it learn it. */}
          {group.membersCount > 0 && <>{t("groups.people", { count: group.membersCount })} · </>}
          {t("groups.numberIs", { id: String(group.id) })}
        </>
      }
      below={
        isFormOpen &&
        membership === "stranger" && (
          <>
            {wasRemoved && <p>{t("groups.wasRemoved")}</p>}
            <JoinRequestForm
              groupId={group.id}
              onDone={() => {
                setFormOpen(false);
                onDone();
              }}
            />
          </>
        )
      }
    >
      {membership === "member" && (
        <>
          <SearchPanelNote>{t("error.group.already")}</SearchPanelNote>
          <Button
            size="small"
            onClick={() => {
              goDown(chatPath(chatKey(ChatType.GROUP, group.id)));
              onCloseDialog();
            }}
          >
            {t("friend.message")}
          </Button>
        </>
      )}
      {membership === "asked" && <SearchPanelNote>{t("groups.waiting")}</SearchPanelNote>}
      {membership === "stranger" && mode === JoinMode.INVITATION && (
        <SearchPanelNote>{t("groups.byInvitation")}</SearchPanelNote>
      )}
      {membership === "stranger" && mode !== JoinMode.INVITATION && !isFormOpen && (
        <Button variant="primary" size="small" onClick={() => setFormOpen(true)}>
          {t(mode === JoinMode.FREE ? "groups.joinShort" : "groups.askToJoin")}
        </Button>
      )}
    </SearchPanelRow>
  );
}
