import { useId, useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";
import { useChatLook } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
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
  isChosen: boolean;
  onToggle: () => void;
}

function PersonRow({ chatKey, isChosen, onToggle }: PersonRowProps) {
  const t = useText();
  const { name, picture, isOnline, colour, shape } = useChatLook(chatKey);
  const isMe = useClientState((state) => chatKey === `${ChatType.PRIVATE}:${state.me?.id}`);
  return (
    <button type="button" className={styles.row} role="checkbox" aria-checked={isChosen} onClick={onToggle}>
      <Tick isOn={isChosen} />
      <Avatar name={name} url={picture} id={colour} size={40} shape={shape} isOnline={isOnline} />
      <span className={styles.name}>{isMe ? t("chat.notes") : <bdi>{name}</bdi>}</span>
    </button>
  );
}
