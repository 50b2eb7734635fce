import { Avatar } from "../../ui/avatar.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { PICK_ROW_PX, PickedRow } from "../../ui/pick-row.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { useText } from "../i18n/i18n.ts";
import { useClient } from "../loading/use-client.ts";
import type { SelectorEntry } from "./member-selection.ts";
import styles from "./member-selector.module.css";

/** How many of the selected people a small screen shows: the last ones. All are ticked in the list. */
const STRIP_MAX = 12;

const keyOf = (entry: SelectorEntry) => entry.userId;

interface SelectedMembersProps {
  selected: readonly SelectorEntry[];
  /** "3", or "3 / 9" where there is a maximum. */
  count: string;
  onRemove: (userId: number) => void;
}

/** List of the selected people on the right. */
export function SelectedMembersList({ selected, count, onRemove }: SelectedMembersProps) {
  const t = useText();
  return (
    <Stack className={styles.chosen}>
      <Row justify="between" shrink={false} paddingX={16} className={styles.chosenHead}>
        <Text as="h3" size={14} weight="name">
          {t("members.chosen")}
        </Text>
        <output className={styles.count} aria-label={t("members.chosenCount", { count: selected.length })}>
          {count}
        </output>
      </Row>
      <Stack grow role="list" aria-label={t("members.chosen")}>
        <RowList items={selected} keyOf={keyOf} rowHeight={PICK_ROW_PX}>
          {(entry) => (
            <PickedRow
              name={entry.showNickName}
              picture={<EntryAvatar entry={entry} />}
              removeLabel={t("members.remove", { name: entry.showNickName })}
              onRemove={entry.locked ? null : () => onRemove(entry.userId)}
            />
          )}
        </RowList>
      </Stack>
    </Stack>
  );
}

/** The selected people on a small screen, in one line. */
export function SelectedMembersStrip({ selected, count, onRemove }: SelectedMembersProps) {
  const t = useText();
  if (selected.length === 0) return null;
  return (
    <Row gap={4} shrink={false} paddingX={16} className={styles.strip}>
      <output className={styles.count} aria-label={t("members.chosenCount", { count: selected.length })}>
        {count}
      </output>
      {selected
        .slice(-STRIP_MAX)
        .toReversed()
        .map((entry) => (
          <button
            key={entry.userId}
            type="button"
            className={styles.face}
            aria-label={t("members.remove", { name: entry.showNickName })}
            disabled={entry.locked}
            onClick={() => onRemove(entry.userId)}
          >
            <EntryAvatar entry={entry} />
          </button>
        ))}
    </Row>
  );
}

function EntryAvatar({ entry }: { entry: SelectorEntry }) {
  const client = useClient();
  return (
    <Avatar
      name={entry.showNickName}
      url={entry.headImage && client.fileUrl(entry.headImage)}
      id={entry.userId}
      size={28}
    />
  );
}
