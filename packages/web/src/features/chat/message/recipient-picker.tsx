import { useId, useState } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { ChatAvatar } from "../../../kit/chat-avatar.tsx";
import { useChatAppearance } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/person.ts";
import { SearchIllustration } from "../../../ui/illustrations.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { useImeGuard } from "../../../ui/ime.ts";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { CheckMark } from "../../../ui/check-mark.tsx";
import styles from "./recipient-picker.module.css";
import { useRecipients } from "./use-recipients.ts";
import type { RecipientOptions } from "./use-recipients.ts";

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
    <div className={styles.picker}>
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
    </div>
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
      <span className={styles.name}>
        <bdi>{appearance.name}</bdi>
      </span>
    </button>
  );
}
