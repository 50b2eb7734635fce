import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import { Users } from "lucide-react";
import { useMember } from "../../../../kit/chats/group.ts";
import { HighlightedText } from "../../../../kit/search/highlighted-text.tsx";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { nameRanges, useNameMatch } from "../../../../kit/search/pinyin.ts";
import { RoleChip } from "../../../../kit/chats/role-chip.tsx";
import { useClientState } from "../../../../kit/loading/use-client.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row, Text } from "../../../../ui/layout.tsx";
import { RowList, type RowListHandle } from "../../../../ui/row-list.tsx";
import { useIsMobile } from "../../../../ui/use-media.ts";
import { useTextScale } from "../../../../ui/use-text-scale.ts";
import type { MentionTarget } from "../../message/conversation-ui.ts";
import { matchCandidates, useMentionCandidates, type MentionCandidate } from "./mention-candidates.ts";
import type { MentionKeyHandler, OpenMentionQuery } from "./use-mentions.ts";
import fieldStyles from "../../../../kit/message-field/message-field.module.css";
import styles from "./mention-popover.module.css";

const ROW_PX = 40;
/** The height of a row on touch screens. */
const MOBILE_ROW_PX = 44;
const ROWS_MAX = 6;
/** Distance from the popover's edge to the `@`, so that names are aligned with the typed text. */
const BEFORE_PX = 44;

interface MentionPopoverProps {
  /** The id of the list, for `aria-controls` of the field. */
  id: string;
  groupId: number;
  query: OpenMentionQuery;
  /** Receives the function that handles keys pressed in the field. */
  keyHandler: RefObject<MentionKeyHandler | null>;
  /** The id of the active option; null if nobody is found. */
  onActive: (id: string | null) => void;
  onPick: (person: MentionTarget) => void;
}

/** The members who match the text after an `@`. The focus stays in the field. */
export function MentionPopover({ id, groupId, query, keyHandler, onActive, onPick }: MentionPopoverProps) {
  const t = useText();
  const { all, state, load } = useMentionCandidates(groupId);
  const match = useNameMatch(true);
  const rowHeight = useIsMobile() ? MOBILE_ROW_PX : ROW_PX;
  const scale = useTextScale();
  const found = useMemo(() => matchCandidates(all, query.text, match.rank), [all, query.text, match]);
  const list = useRef<RowListHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const { active, activate } = useActiveCandidate(found, query.text);
  const activeId = found[active]?.userId;
  const isShown = found.length > 0 || state !== "loaded";

  useLayoutEffect(() => {
    if (panel.current !== null) placePopover(panel.current, query.left);
  }, [query.left, isShown]);

  const activeOption = activeId === undefined ? null : `${id}-${activeId}`;
  useEffect(() => {
    onActive(activeOption);
    return () => onActive(null);
  }, [onActive, activeOption]);

  useEffect(() => list.current?.reveal(0), [query.text]);

  const moveBy = (step: number) => {
    const next = (active + step + found.length) % found.length;
    activate(next);
    list.current?.reveal(next);
  };
  usePopoverKeys(keyHandler, (event) => {
    const candidate = found[active];
    if (candidate === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return false;
    if (event.key === "ArrowDown") moveBy(1);
    else if (event.key === "ArrowUp") moveBy(-1);
    else if (event.key === "Enter" || event.key === "Tab") onPick(candidate);
    else return false;
    event.preventDefault();
    return true;
  });

  if (!isShown) return null;
  return (
    <div
      ref={panel}
      className={classNames(fieldStyles.popover, styles.panel)}
      role="presentation"
      data-mention-popover
      // The field keeps the focus, and a touch device its on-screen keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <div
        id={id}
        className={styles.list}
        role="listbox"
        aria-label={t("naming.who")}
        // A scrollable area must be reachable by keyboard.
        tabIndex={0}
        aria-busy={state === "loading" || undefined}
        style={{ blockSize: Math.min(ROWS_MAX, found.length) * rowHeight * scale }}
      >
        <RowList
          isInScroller
          ref={list}
          items={found}
          keyOf={(candidate) => candidate.userId}
          rowHeight={rowHeight}
          keepMounted={active}
        >
          {(candidate, index) => (
            <Row
              id={`${id}-${candidate.userId}`}
              gap={12}
              paddingX={8}
              className={classNames(styles.row, index === active && styles.active)}
              role="option"
              aria-selected={index === active}
              aria-posinset={index + 1}
              aria-setsize={found.length}
              onPointerMove={() => index !== active && activate(index)}
              onClick={() => onPick(candidate)}
            >
              {candidate.userId < 0 ? (
                <Everyone groupId={groupId} name={candidate.name} />
              ) : (
                <Member groupId={groupId} candidate={candidate} query={query.text} />
              )}
            </Row>
          )}
        </RowList>
      </div>
      {state !== "loaded" && <LoadStatus hasFailed={state === "failed"} onRetry={load} />}
    </div>
  );
}

/** The index of the candidate that Enter picks. A changed query starts at the top again. */
function useActiveCandidate(found: readonly MentionCandidate[], query: string) {
  const [selected, setSelected] = useState<{ query: string; userId: number } | null>(null);
  const wanted = selected?.query === query ? selected.userId : null;
  const active = found.findIndex(({ userId }) => userId === wanted);
  const activate = (index: number) => {
    const userId = found[index]?.userId;
    if (userId !== undefined) setSelected({ query, userId });
  };
  return { active: Math.max(0, active), activate } as const;
}

/** Lets the field, which keeps the focus, ask the popover first about each key. */
function usePopoverKeys(keyHandler: RefObject<MentionKeyHandler | null>, handleKey: MentionKeyHandler): void {
  useLayoutEffect(() => {
    keyHandler.current = handleKey;
    return () => {
      keyHandler.current = null;
    };
  });
}

/** Places the popover at the `@`, but inside the field's frame. */
function placePopover(panel: HTMLElement, left: number): void {
  const frame = panel.offsetParent?.getBoundingClientRect();
  if (frame === undefined) return;
  const maxLeft = frame.width - panel.offsetWidth;
  panel.style.insetInlineStart = `${Math.max(0, Math.min(left - frame.left - BEFORE_PX, maxLeft))}px`;
}

function LoadStatus({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  const t = useText();
  return (
    <Row align="stretch" gap={8} size={13} tone="secondary" className={styles.status} role="status">
      {t(hasFailed ? "groups.membersFailed" : "app.loading")}
      {hasFailed && (
        <button type="button" className={styles.retry} tabIndex={-1} onClick={onRetry}>
          {t("app.retry")}
        </button>
      )}
    </Row>
  );
}

function Everyone({ groupId, name }: { groupId: number; name: string }) {
  const t = useText();
  const count = useClientState((state) => state.groups.byId[groupId]?.membersCount ?? 0);
  return (
    <>
      <Row as="span" justify="center" shrink={false} className={styles.everyone}>
        <Users {...ICON_PROPS_16} />
      </Row>
      <Text grow truncate>
        {name}
      </Text>
      <Text truncate size={12} tone="tertiary" className={styles.more}>
        {t("groups.members", { count })}
      </Text>
    </>
  );
}

function Member({
  groupId,
  candidate,
  query,
}: {
  groupId: number;
  candidate: MentionCandidate;
  query: string;
}) {
  const member = useMember(groupId, candidate.userId, candidate.name);
  const role = useClientState((state) => state.groups.members[groupId]?.byId[candidate.userId]?.role ?? 0);
  const shown = candidate.remark ?? candidate.name;
  return (
    <>
      <Avatar name={shown} url={member.picture} id={candidate.userId} size={28} />
      <Text grow truncate>
        <HighlightedText text={shown} ranges={nameRanges(shown, query) ?? []} />
      </Text>
      {candidate.remark === null ? (
        <RoleChip role={role} />
      ) : (
        <Text truncate size={12} tone="tertiary" className={styles.more}>
          <HighlightedText text={candidate.name} ranges={nameRanges(candidate.name, query) ?? []} />
        </Text>
      )}
    </>
  );
}
