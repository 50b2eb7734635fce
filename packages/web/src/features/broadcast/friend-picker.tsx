import { memo, useMemo, useRef, useState } from "react";
import { X } from "lucide-react";
import { useText } from "../../kit/i18n/i18n.ts";
import { LetterRail, letterSections } from "../../kit/search/letter-rail.tsx";
import { usePerson } from "../../kit/people/person.ts";
import { useNameMatch } from "../../kit/search/pinyin.ts";
import { SectionList, type SectionListHandle, type SectionRowProps } from "../../kit/search/section-list.tsx";
import { matchingEntries, type SelectorEntry, toggleEntry } from "../../kit/people/member-selection.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { FriendsIllustration } from "../../ui/lazy-illustrations.tsx";
import { PICK_ROW_PX, PickRow } from "../../ui/pick-row.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import styles from "./broadcast.module.css";

interface FriendPickerProps {
  /** All friends. */
  entries: readonly SelectorEntry[];
  selected: readonly SelectorEntry[];
}

/** The friends by letter, with a search by name or pinyin; a click selects one. */
export function FriendPicker({ entries, selected }: FriendPickerProps) {
  const t = useText();
  const client = useClient();
  const list = useRef<SectionListHandle>(null);
  const ime = useImeGuard();
  const [query, setQuery] = useState("");
  // A new object once the pinyin is loaded; its functions stay the same.
  const match = useNameMatch(true);
  const found = useMemo(() => matchingEntries(entries, query, match.matches), [entries, query, match]);
  const sections = useMemo(() => {
    const names = new Map(found.map(({ userId, showNickName }) => [userId, showNickName]));
    const ids = found.map(({ userId }) => userId);
    return letterSections(ids, (id) => match.letter(names.get(id) ?? "")).map((section) => ({
      title: section.letter,
      ids: section.ids,
    }));
  }, [found, match]);
  const selectedIds = selected.map(({ userId }) => userId);
  const selectedSet = new Set(selectedIds);
  const unselected = found.filter(({ userId }) => !selectedSet.has(userId));
  const toggle = (userId: number) => {
    const { userIds } = client.getState().broadcast.draft;
    client.broadcast.select(toggleEntry(entries, userIds, userId, Infinity).selectedIds);
  };
  const [only, ...others] = found;
  return (
    <Stack as="section" className={styles.friends} aria-label={t("broadcast.friends")}>
      <Row shrink={false} className={styles.search}>
        <SearchBox
          label={t("broadcast.search")}
          value={query}
          autoFocus
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if ((event.key !== "Enter" && event.key !== "ArrowDown") || ime.isComposing(event)) return;
            event.preventDefault();
            if (event.key === "ArrowDown") list.current?.focus();
            else if (only !== undefined && others.length === 0) toggle(only.userId);
          }}
          {...ime.handlers}
        />
      </Row>
      <Row shrink={false} className={styles.selection}>
        <Text as="output" grow size={13} tone="secondary">
          {t("broadcast.selected", { count: selected.length })}
        </Text>
        {selected.length > 0 && (
          <Button size="small" variant="ghost" onClick={() => client.broadcast.select([])}>
            {t("broadcast.clear")}
          </Button>
        )}
        <Button
          size="small"
          variant="ghost"
          disabled={unselected.length === 0}
          onClick={() => client.broadcast.select([...selectedIds, ...unselected.map(({ userId }) => userId)])}
        >
          {t("broadcast.selectAll")}
        </Button>
      </Row>
      {found.length === 0 ? (
        <Box grow scroll>
          <EmptyState
            illustration={query.trim() === "" ? <FriendsIllustration /> : <SearchIllustration />}
            text={t(query.trim() === "" ? "friend.empty" : "members.notFound")}
          />
        </Box>
      ) : (
        <Row grow align="stretch">
          <SectionList
            ref={list}
            label={t("broadcast.friends")}
            sections={sections}
            selected={null}
            isCollapsed={false}
            isMultiple
            rowPx={PICK_ROW_PX}
            nameOf={(id) => client.getState().contacts.friends[id]?.showNickName ?? ""}
            row={FriendRow}
            onOpen={toggle}
          />
          {sections.length > 1 && (
            <LetterRail
              label={t("friend.letters")}
              markers={sections.map(({ title }) => ({ sign: title, label: title }))}
              onGo={(index) => list.current?.show(index)}
              onEnter={() => list.current?.focus()}
            />
          )}
        </Row>
      )}
    </Stack>
  );
}

const FriendRow = memo(function FriendRow(props: SectionRowProps) {
  const { optionId, itemId, position, count, isActive, onOpen } = props;
  const person = usePerson(itemId);
  const isPicked = useClientState((state) => state.broadcast.draft.userIds.includes(itemId));
  return (
    <PickRow
      id={optionId}
      position={position}
      count={count}
      isPicked={isPicked}
      isLocked={false}
      isActive={isActive}
      name={person.name}
      picture={
        <Avatar name={person.name} url={person.picture} id={itemId} size={28} isOnline={person.isOnline} />
      }
      onClick={() => onOpen(itemId)}
    />
  );
});

/** How many of the selected friends are shown: the last ones. All are ticked in the list. */
const SHOWN_MAX = 30;

/** The selected friends, each with a button that takes them away. */
export function SelectedFriends({ selected }: { selected: readonly SelectorEntry[] }) {
  const t = useText();
  const client = useClient();
  if (selected.length === 0) {
    return (
      <Text as="p" shrink={false} paddingY={4} size={13} tone="tertiary">
        {t("broadcast.nobodySelected")}
      </Text>
    );
  }
  const remove = (userId: number) => {
    const { userIds } = client.getState().broadcast.draft;
    client.broadcast.select(userIds.filter((id) => id !== userId));
  };
  const hiddenCount = Math.max(0, selected.length - SHOWN_MAX);
  return (
    <Row
      as="ul"
      wrap
      gap={8}
      shrink={false}
      className={styles.selected}
      aria-label={t("broadcast.recipients")}
      tabIndex={0}
    >
      {selected.slice(-SHOWN_MAX).map(({ userId, showNickName, headImage }) => (
        <Row as="li" key={userId} gap={4} size={13} className={styles.friend}>
          <Avatar name={showNickName} url={headImage && client.fileUrl(headImage)} id={userId} size={24} />
          <Text as="bdi" truncate className={styles.friendName}>
            {showNickName}
          </Text>
          <Row
            as="button"
            justify="center"
            shrink={false}
            tone="secondary"
            type="button"
            className={styles.remove}
            aria-label={t("members.remove", { name: showNickName })}
            onClick={() => remove(userId)}
          >
            <X {...ICON_PROPS_14} />
          </Row>
        </Row>
      ))}
      {hiddenCount > 0 && (
        <Text as="li" size={13} tone="tertiary">
          {t("broadcast.more", { count: hiddenCount })}
        </Text>
      )}
    </Row>
  );
}
