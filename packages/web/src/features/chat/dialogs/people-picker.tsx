import { useId, useState } from "react";
import { Check } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/people.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ICON_14 } from "../../../ui/icon.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import styles from "./people-picker.module.css";
import { usePeople } from "./use-people.ts";

const ROW_PX = 56;

interface PeoplePickerProps {
  /** Name of the list for screen readers. */
  label: string;
  /** These people stand first, in this order. */
  first: readonly number[];
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
  /** One cannot be chosen. */
  without?: number;
}

/** Some of one's friends, and oneself. */
export function PeoplePicker({ label, first, chosen, onChange, without }: PeoplePickerProps) {
  const t = useText();
  const ime = useImeGuard();
  const id = useId();
  const [filter, setFilter] = useState("");
  const people = usePeople(filter, first, without);
  const toggle = (person: number) =>
    onChange(chosen.includes(person) ? chosen.filter((other) => other !== person) : [...chosen, person]);
  return (
    <div className={styles.picker}>
      <div className={styles.search}>
        <SearchBox
          label={t("compose.findPeople")}
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
          <EmptyState drawing="search" text={t("compose.nobodyFound")} />
        ) : (
          <RowList items={people} keyOf={Number} rowHeight={ROW_PX} listLabel={label}>
            {(person) => (
              <PersonRow id={person} isChosen={chosen.includes(person)} onToggle={() => toggle(person)} />
            )}
          </RowList>
        )}
      </div>
    </div>
  );
}

function PersonRow({ id, isChosen, onToggle }: { id: number; isChosen: boolean; onToggle: () => void }) {
  const t = useText();
  const person = usePerson(id);
  return (
    <button type="button" className={styles.row} role="checkbox" aria-checked={isChosen} onClick={onToggle}>
      <span className={classNames(styles.tick, isChosen && styles.ticked)}>
        {isChosen && <Check {...ICON_14} />}
      </span>
      <Avatar name={person.name} url={person.picture} id={id} size={40} isOnline={person.isOnline} />
      <span className={styles.name}>
        {person.relation === "me" ? t("chat.notes") : <bdi>{person.name}</bdi>}
      </span>
    </button>
  );
}
