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
  onChange: (chosen: readonly ChatKey[]) => void;
}

/** Some of one's friends, oneself, and if wanted some groups. */
export function RecipientPicker(props: RecipientPickerProps) {
  const { label, selected, onChange, ...receivers } = props;
  const t = useText();
  const ime = useImeGuard();
  const id = useId();
  const [filter, setFilter] = useState("");
  const people = useRecipients(filter, receivers);
  const toggle = (person: ChatKey) =>
    onChange(
      selected.includes(person) ? selected.filter((other) => other !== person) : [...selected, person],
    );
  return (
    <div className={styles.picker}>
      <div className={styles.search}>
        <SearchBox
          label={t(receivers.hasGroups ? "compose.findReceivers" : "compose.findPeople")}
          value={filter}
          autoFocus
          aria-controls={id}
          onChange={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter takes the only one that is left, and never sends from here.
            if (event.key !== "Enter") return;
            event.preventDefault();
            const [only, ...others] = people;
            if (!ime.isComposing(event) && only !== undefined && others.length === 0) toggle(only);
          }}
          {...ime.handlers}
        />
      </div>
      <div id={id} className={styles.list}>
        {people.length === 0 ? (
          <EmptyState illustration={<SearchIllustration />} text={t("compose.nobodyFound")} />
        ) : (
          <RowList items={people} keyOf={String} rowHeight={ROW_PX} listLabel={label}>
            {(person) => (
              <RecipientRow
                chatKey={person}
                isPerson={!receivers.hasGroups}
                isSelected={selected.includes(person)}
                onToggle={() => toggle(person)}
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
  /** The person is meant, and not the chat: they differ for oneself. */
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
