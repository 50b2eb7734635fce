import { useEffect, useState } from "react";
import { ChevronLeft } from "lucide-react";
import type { GroupCard } from "@parley/protocol/entities";
import type { Failure } from "@parley/core/model/state";
import { useLocation } from "wouter";
import { openDialog } from "../../kit/dialogs.ts";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchDrawing } from "../../ui/drawings.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { BrokenDrawing } from "../../ui/more-drawings.tsx";
import { ICON_24 } from "../../ui/icon.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { ApplyForm } from "./apply-form.tsx";
import { GroupEnd } from "./group-end.tsx";
import { GroupFacts } from "./group-facts.tsx";
import { GroupHead, GroupTitle } from "./group-head.tsx";
import { Management } from "./management.tsx";
import { MemberGrid } from "./member-grid.tsx";
import { useStanding } from "./use-standing.ts";
import styles from "./group-detail.module.css";

/** The page of a group: all of it for its members, the card for others. */
export function GroupDetail({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const group = useClientState((state) => state.groups.byId[groupId]);
  const isIn = group !== undefined && !group.quit && !group.dissolve;
  useEffect(() => {
    if (isIn) void client.groups.loadMembers(groupId);
  }, [client, groupId, isIn]);
  return (
    <div className={styles.detail}>
      <header className={styles.bar}>
        {isMobile && (
          <IconButton label={t("groups.back")} onClick={() => navigate("/home/group")}>
            <ChevronLeft {...ICON_24} />
          </IconButton>
        )}
      </header>
      <div className={styles.column}>
        {group !== undefined ? (
          <>
            <GroupHead group={group} />
            {isIn && (
              <>
                <MemberGrid groupId={groupId} />
                <GroupFacts group={group} />
                <Management group={group} />
                <GroupEnd groupId={groupId} />
              </>
            )}
          </>
        ) : isLoaded ? (
          <Stranger groupId={groupId} />
        ) : (
          <Waiting />
        )}
      </div>
    </div>
  );
}

type Look =
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly card: GroupCard }
  | { readonly kind: "failed"; readonly failure: Failure };

/** A group I am not in: its card, and the way in. */
function Stranger({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const standing = useStanding(groupId);
  const [look, setLook] = useState<Look>({ kind: "busy" });
  const [round, setRound] = useState(0);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void client.groups.find(groupId).then((result) => {
      if (!isCurrent) return;
      setLook(
        result.ok ? { kind: "found", card: result.value } : { kind: "failed", failure: result.failure },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [client, groupId, round]);
  const tryAgain = () => {
    setLook({ kind: "busy" });
    setRound(round + 1);
  };
  if (look.kind === "busy") return <Waiting />;
  if (look.kind === "failed") {
    // There is no such group, or none any more: asking again changes nothing.
    const isSaid = look.failure.kind === "refused" && look.failure.key?.startsWith("group.") === true;
    return (
      <EmptyState
        drawing={isSaid ? <SearchDrawing /> : <BrokenDrawing />}
        text={failureText(look.failure, t)}
        action={
          isSaid ? (
            <Button onClick={() => openDialog({ kind: "joinGroup" })}>{t("groups.join")}</Button>
          ) : (
            <Button onClick={tryAgain}>{t("app.retry")}</Button>
          )
        }
      />
    );
  }
  return (
    <>
      <GroupTitle card={look.card} />
      {standing === "asked" ? (
        <p className={styles.standing}>{t("groups.waiting")}</p>
      ) : isAsking ? (
        <ApplyForm groupId={groupId} onDone={() => setAsking(false)} />
      ) : (
        <div className={styles.actions}>
          <Button variant="primary" size="large" onClick={() => setAsking(true)}>
            {t("groups.joinThis")}
          </Button>
        </div>
      )}
    </>
  );
}

function Waiting() {
  const t = useText();
  return (
    <div className={styles.waiting} aria-busy="true">
      <output className="visually-hidden">{t("app.loading")}</output>
      <Skeleton width={96} height={96} radius={16} />
      <div className={styles.waitingLines}>
        <Skeleton width="40%" height={20} />
        <Skeleton width="64%" height={12} />
      </div>
    </div>
  );
}
