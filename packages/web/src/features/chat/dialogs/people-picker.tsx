import { useId, useState } from "react";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey } from "@parley/core/model/state";
import { ChatAvatar } from "../../../kit/chat-avatar.tsx";
import { useChatLook } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/people.ts";
import { SearchDrawing } from "../../../ui/drawings.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { useImeGuard } from "../../../ui/ime.ts";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { Tick } from "../../../ui/tick.tsx";
import styles from "./people-picker.module.css";
import { usePeople } from "./use-people.ts";
import type { Receivers } from "./use-people.ts";

const ROW_PX = 56;

interface PeoplePickerProps extends Receivers {
  /** Name of the list for screen readers. */
  label: string;
  chosen: readonly ChatKey[];
  onChange: (chosen: readonly ChatKey[]) => void;
}

/** Some of one's friends, oneself, and if wanted some groups. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { label, chosen, onChange, ...receivers } = props;
  const t = useText();
  const ime = useImeGuard();
  const id = useId();
  const [filter, setFilter] = useState("");
  const people = usePeople(filter, receivers);
  const toggle = (person: ChatKey) =>
    onChange(chosen.includes(person) ? chosen.filter((other) => other !== person) : [...chosen, person]);
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
          <EmptyState drawing={<SearchDrawing />} text={t("compose.nobodyFound")} />
        ) : (
          <RowList items={people} keyOf={String} rowHeight={ROW_PX} listLabel={label}>
            {(person) => (
              <PersonRow
                chatKey={person}
                isPerson={!receivers.hasGroups}
                isChosen={chosen.includes(person)}
                onToggle={() => toggle(person)}
              />
            )}
          </RowList>
        )}
      </div>
    </div>
  );
}

interface PersonRowProps {
  chatKey: ChatKey;
  /** The person is meant, and not the chat: they differ for oneself. */
  isPerson: boolean;
  isChosen: boolean;
  onToggle: () => void;
}

function PersonRow({ chatKey, isPerson, isChosen, onToggle }: PersonRowProps) {
  const chat = useChatLook(chatKey);
  const { id, name, picture } = usePerson(parseChatKey(chatKey)?.targetId ?? 0);
  const look = isPerson ? { ...chat, name, picture, colour: id, sign: null } : chat;
  return (
    <button type="button" className={styles.row} role="checkbox" aria-checked={isChosen} onClick={onToggle}>
      <Tick isOn={isChosen} />
      <ChatAvatar look={look} size={40} />
      <span className={styles.name}>
        <bdi>{look.name}</bdi>
      </span>
    </button>
  );
}
