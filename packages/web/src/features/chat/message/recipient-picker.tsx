import { useId, useMemo, useState } from "react";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import { groupPermission } from "@parley/core/model/selectors";
import type { ChatKey, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { ChatAvatar } from "../../../kit/chats/chat-avatar.tsx";
import { isNotesChat, notesChatNames, useChatAppearance } from "../../../kit/chats/chat-name.ts";
import { type Translate, useText } from "../../../kit/i18n/i18n.ts";
import { usePerson } from "../../../kit/people/person.ts";
import { useNameMatch } from "../../../kit/search/pinyin.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { CheckMark } from "../../../ui/check-mark.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SearchIllustration } from "../../../ui/illustrations.tsx";
import { useImeGuard } from "../../../ui/ime.ts";
import { Stack, Text } from "../../../ui/layout.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import styles from "./recipient-picker.module.css";

const ROW_PX = 56;

interface RecipientPickerProps extends RecipientOptions {
  /** Name of the list for screen readers. */
  label: string;
  selected: readonly ChatKey[];
  onChange: (selected: readonly ChatKey[]) => void;
}

/** A searchable list to select friends, oneself and optionally groups. */
export function RecipientPicker(props: RecipientPickerProps) {
  const { label, selected, onChange, ...options } = props;
  const t = useText();
  const ime = useImeGuard();
  const id = useId();
  const [filter, setFilter] = useState("");
  const recipients = useRecipients(filter, options);
  const toggle = (recipient: ChatKey) =>
    onChange(
      selected.includes(recipient)
        ? selected.filter((other) => other !== recipient)
        : [...selected, recipient],
    );
  return (
    <Stack className={styles.picker}>
      <div className={styles.search}>
        <SearchBox
          label={t(options.hasGroups ? "compose.findReceivers" : "compose.findPeople")}
          value={filter}
          autoFocus
          aria-controls={id}
          onChange={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter toggles the only match. It never submits the dialog.
            if (event.key !== "Enter") return;
            event.preventDefault();
            const [only, ...others] = recipients;
            if (!ime.isComposing(event) && only !== undefined && others.length === 0) toggle(only);
          }}
          {...ime.handlers}
        />
      </div>
      <div id={id} className={styles.list}>
        {recipients.length === 0 ? (
          <EmptyState illustration={<SearchIllustration />} text={t("compose.nobodyFound")} />
        ) : (
          <RowList items={recipients} keyOf={String} rowHeight={ROW_PX} listLabel={label}>
            {(recipient) => (
              <RecipientRow
                chatKey={recipient}
                isPerson={!options.hasGroups}
                isSelected={selected.includes(recipient)}
                onToggle={() => toggle(recipient)}
              />
            )}
          </RowList>
        )}
      </div>
    </Stack>
  );
}

interface RecipientRowProps {
  chatKey: ChatKey;
  /** Show the person instead of the chat. They differ only for oneself. */
  isPerson: boolean;
  isSelected: boolean;
  onToggle: () => void;
}

function RecipientRow({ chatKey, isPerson, isSelected, onToggle }: RecipientRowProps) {
  const chat = useChatAppearance(chatKey);
  const { id, name, picture } = usePerson(parseChatKey(chatKey)?.targetId ?? 0);
  const appearance = isPerson ? { ...chat, name, picture, colour: id, sign: null } : chat;
  return (
    <button type="button" className={styles.row} role="checkbox" aria-checked={isSelected} onClick={onToggle}>
      <CheckMark isOn={isSelected} />
      <ChatAvatar appearance={appearance} size={40} />
      <Text truncate>
        <bdi>{appearance.name}</bdi>
      </Text>
    </button>
  );
}

/** Which chats a recipient list offers, and in which order. */
interface RecipientOptions {
  /** These come first, in this order. */
  readonly first: readonly ChatKey[];
  /** This chat is not offered. */
  readonly excluded?: ChatKey | undefined;
  /** Also offer groups in which I may write. */
  readonly hasGroups: boolean;
}

/** Chats whose names match the filter: those of `first`, then friends and groups in the order of their lists, then oneself. */
export function useRecipients(
  filter: string,
  { first, excluded, hasGroups }: RecipientOptions,
): readonly ChatKey[] {
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const t = useText();
  const { matches } = useNameMatch(filter !== "");
  return useMemo(() => {
    const friendKeys = contacts.order.map((id) => chatKey(ChatType.PRIVATE, id));
    const groupKeys = groups.order
      .filter((id) => hasGroups && groupPermission({ groups }, id, "speak") === "ok")
      .map((id) => chatKey(ChatType.GROUP, id));
    const self = me === null ? [] : [chatKey(ChatType.PRIVATE, me.id)];
    const all = [...friendKeys, ...groupKeys, ...self];
    const known = new Set(all);
    return [...new Set([...first.filter((key) => known.has(key)), ...all])].filter((key) =>
      searchableNames(key, { contacts, groups, me }, t).some(
        (name) => key !== excluded && name !== undefined && matches(name, filter),
      ),
    );
  }, [contacts, groups, me, filter, first, excluded, hasGroups, matches, t]);
}

/** The names by which a chat can be found. */
function searchableNames(
  key: ChatKey,
  { contacts, groups, me }: Pick<State, "contacts" | "groups" | "me">,
  t: Translate,
): readonly (string | undefined)[] {
  const chat = parseChatKey(key);
  if (chat === null) return [];
  if (chat.type === ChatType.GROUP) {
    const group = groups.byId[chat.targetId];
    return [group?.showGroupName, group?.name];
  }
  if (me !== null && isNotesChat(key, me)) return notesChatNames(me, t);
  const friend = contacts.friends[chat.targetId];
  return [friend?.showNickName, friend?.nickName, friend?.userName];
}
