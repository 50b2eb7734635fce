import { useEffect, useId, useRef } from "react";
import { ChevronRight, X } from "lucide-react";
import { useLocation } from "wouter";
import { groupVerdict } from "@parley/core/model/selectors";
import { useGroup } from "../../../kit/groups.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON, ICON_16 } from "../../../ui/icon.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { GroupMembers } from "./group-members.tsx";
import { GroupNotice } from "./group-notice.tsx";
import { GroupOwnRows } from "./group-own-rows.tsx";
import styles from "./group-panel.module.css";

interface GroupPanelProps {
  groupId: number;
  /** Beside the conversation; otherwise over it. */
  isDocked: boolean;
  onClose: () => void;
}

/** What a group is: its card, its notice, what I have chosen for it, its members (interface §1). */
export function GroupPanel({ groupId, isDocked, onClose }: GroupPanelProps) {
  const t = useText();
  const id = useId();
  const [, navigate] = useLocation();
  const { isGone } = useGroup(groupId);
  const canEdit = useClientState((state) => groupVerdict(state, groupId, "editInfo") === "ok");
  const panel = useRef<HTMLElement>(null);
  useOverlay(panel, isDocked, onClose);
  return (
    <>
      {!isDocked && (
        <button type="button" className={styles.scrim} tabIndex={-1} aria-hidden="true" onClick={onClose} />
      )}
      <aside
        ref={panel}
        className={classNames(styles.panel, !isDocked && styles.over)}
        aria-labelledby={id}
        tabIndex={-1}
        data-landmark="panel"
      >
        <header className={styles.header}>
          <h2 id={id} className={styles.heading}>
            {t("chat.groupInfo")}
          </h2>
          <IconButton label={t("app.close")} hasTooltip={false} onClick={onClose}>
            <X {...ICON} />
          </IconButton>
        </header>
        <div className={styles.scroller}>
          <Identity groupId={groupId} />
          <GroupNotice groupId={groupId} canEdit={canEdit} />
          {!isGone && (
            <>
              <GroupOwnRows groupId={groupId} />
              <button
                type="button"
                className={classNames(styles.row, styles.link)}
                onClick={() => navigate(`/home/group/${groupId}`)}
              >
                {t("groupInfo.all")}
                <ChevronRight {...ICON_16} />
              </button>
              <GroupMembers groupId={groupId} />
            </>
          )}
        </div>
      </aside>
    </>
  );
}

function Identity({ groupId }: { groupId: number }) {
  const t = useText();
  const group = useGroup(groupId);
  const isDissolved = useClientState((state) => state.groups.byId[groupId]?.dissolve === true);
  const online = useClientState((state) => {
    const members = state.groups.members[groupId];
    if (members === undefined || state.connection.kind !== "online") return null;
    return members.order.filter((userId) => members.byId[userId]?.online).length;
  });
  const facts = group.isGone
    ? [t(isDissolved ? "chat.dissolved" : "chat.left")]
    : [
        t("chat.membersCount", { count: group.membersCount }),
        online !== null && t("groups.online", { count: online }),
      ];
  return (
    <div className={styles.identity}>
      <Avatar name={group.name} url={group.picture} id={groupId} size={56} shape="rounded" />
      <div className={styles.words}>
        <div className={styles.name}>
          <bdi>{group.name}</bdi>
        </div>
        <div className={styles.facts}>{facts.filter(Boolean).join(" · ")}</div>
      </div>
    </div>
  );
}

/** Over the conversation it takes the focus and gives it back, and Esc closes it. */
function useOverlay(
  panel: { readonly current: HTMLElement | null },
  isDocked: boolean,
  onClose: () => void,
): void {
  const close = useRef(onClose);
  const { isComposing, handlers } = useImeGuard();
  const { onCompositionEnd, onKeyUp } = handlers;
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    const element = panel.current;
    if (isDocked || element === null) return;
    const opener = document.activeElement;
    element.focus({ preventScroll: true });
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector('[role$="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      close.current();
    };
    window.addEventListener("keydown", press);
    window.addEventListener("compositionend", onCompositionEnd);
    window.addEventListener("keyup", onKeyUp);
    return () => {
      window.removeEventListener("keydown", press);
      window.removeEventListener("compositionend", onCompositionEnd);
      window.removeEventListener("keyup", onKeyUp);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [panel, isDocked, isComposing, onCompositionEnd, onKeyUp]);
}
