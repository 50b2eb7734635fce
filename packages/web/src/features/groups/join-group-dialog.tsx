import { useId, useState } from "react";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { joinModeOf } from "@parley/core/model/groups/groups-state";
import type { Result } from "@parley/core/model/state";
import { ChatType, JoinMode } from "@parley/protocol/codes";
import type { GroupCard } from "@parley/protocol/entities";
import { isVisible } from "@parley/protocol/text";
import { chatPath } from "../../kit/chats/show-message.ts";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { smallPictureUrl } from "../../kit/people/person.ts";
import {
  SearchPanel,
  SearchPanelNote,
  SearchPanelRow,
  useServerSearch,
} from "../../kit/search/search-panel.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { DialogError } from "./dialog-action.tsx";
import { JoinRequestForm } from "./join-request-form.tsx";
import { useGroupMembership } from "./use-group-membership.ts";
import styles from "./dialogs.module.css";

type SearchMode = "name" | "number";

/** Finds groups by a part of their name or by their number, and sends requests to join. */
export function JoinGroupDialog({ number, onClose }: { number: number | null; onClose: () => void }) {
  const t = useText();
  const { groups } = useClient();
  const id = useId();
  const [searchMode, setSearchMode] = useState<SearchMode>(number === null ? "name" : "number");
  const isByNumber = searchMode === "number";

  const findByNumber = async (groupNumber: number): Promise<Result<readonly GroupCard[]>> => {
    const result = await groups.find(groupNumber);
    return result.ok ? { ok: true, value: [result.value] } : result;
  };
  const search = useServerSearch<GroupCard>({
    initialText: number === null ? "" : String(number),
    find(text) {
      if (!isByNumber) return !isVisible(text) ? t("search.keywordNeeded") : groups.search(text.trim());
      const groupNumber = parseGroupNumber(text);
      return groupNumber === null ? t("groups.numberNeeded") : findByNumber(groupNumber);
    },
  });

  return (
    <Dialog isOpen onClose={onClose} title={t("groups.join")} width={480} isFlush>
      <div className={styles.kinds}>
        <span id={`${id}-by`} className="visually-hidden">
          {t("groups.findBy")}
        </span>
        <Segmented
          labelId={`${id}-by`}
          value={searchMode}
          options={[
            { value: "name", text: t("groups.byName") },
            { value: "number", text: t("groups.byNumber") },
          ]}
          onChange={(mode) => {
            setSearchMode(mode);
            search.reset();
          }}
        />
      </div>
      <SearchPanel
        search={search}
        label={t(isByNumber ? "groups.number" : "groups.nameOrNumber")}
        inputMode={isByNumber ? "numeric" : "search"}
        hint={t(isByNumber ? "groups.numberHint" : "groups.findHint")}
        emptyText={t("groups.noneFound")}
        renderFailure={(failure) => {
          const reason = failureText(failure, t);
          return (
            <>
              <DialogError text={isByNumber ? reason : t("groups.searchFailed")} />
              {!isByNumber && reason}
            </>
          );
        }}
      >
        {(group) => <FoundGroup key={group.id} group={group} onCloseDialog={onClose} onDone={search.focus} />}
      </SearchPanel>
    </Dialog>
  );
}

/** Parses a typed group number; null if it is not valid. Spaces and full-width digits are accepted. */
export function parseGroupNumber(text: string): number | null {
  const digits = text.normalize("NFKC").replaceAll(/\s/gu, "");
  const number = /^\d{1,16}$/.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

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
