import { useEffect, useState } from "react";
import { joinModeOf } from "@parley/core/model/groups/groups-state";
import { JoinMode } from "@parley/protocol/codes";
import { DetailPage } from "../../kit/people/detail-page.tsx";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { goUp } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useLoaded } from "../../kit/loading/use-loaded.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { Box, Row, Stack } from "../../ui/layout.tsx";
import { BrokenIllustration } from "../../ui/lazy-illustrations.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { GroupHeader, GroupTitle } from "./group-header.tsx";
import { GroupInfo } from "./group-info.tsx";
import { GroupManagement } from "./group-management.tsx";
import { JoinRequestForm } from "./join-request-form.tsx";
import { MemberGrid } from "./member-grid.tsx";
import { useGroupMembership, useGroupPermission } from "./use-group-membership.ts";
import styles from "./group-detail.module.css";

/** The page of a group: everything for its members, only the card for others. */
export function GroupDetail({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const group = useClientState((state) => state.groups.byId[groupId]);
  const isMember = group !== undefined && !group.quit && !group.dissolve;
  useEffect(() => {
    if (isMember) void client.groups.loadMembers(groupId);
  }, [client, groupId, isMember]);
  return (
    <DetailPage backLabel={t("groups.back")} onBack={() => goUp("/home/group")}>
      <Box paddingX={24} className={styles.column}>
        {group !== undefined ? (
          <>
            <GroupHeader group={group} />
            {group.quit && !group.dissolve && !group.isBanned && (
              <WayIn groupId={groupId} mode={joinModeOf(group)} />
            )}
            {isMember && (
              <>
                <MemberGrid groupId={groupId} />
                <GroupInfo group={group} />
                <GroupManagement group={group} />
                <GroupExit groupId={groupId} />
              </>
            )}
          </>
        ) : isLoaded ? (
          <NonMemberView groupId={groupId} />
        ) : (
          <GroupDetailSkeleton />
        )}
      </Box>
    </DetailPage>
  );
}

/** Buttons to leave: an owner transfers the group or dissolves it, others leave it. */
function GroupExit({ groupId }: { groupId: number }) {
  const t = useText();
  const canTransfer = useGroupPermission(groupId, "transfer");
  const canDissolve = useGroupPermission(groupId, "dissolve");
  const canLeave = useGroupPermission(groupId, "quit");
  return (
    <Row as="footer" wrap gap={8} justify="end" paddingY={20}>
      {canDissolve && <p className={styles.footerHint}>{t("groups.ownerStaysHint")}</p>}
      {canTransfer && (
        <Button size="small" onClick={() => openDialog({ kind: "pickMembers", groupId, action: "transfer" })}>
          {t("groups.transfer")}
        </Button>
      )}
      {canDissolve && (
        <Button
          variant="danger"
          size="small"
          onClick={() => openDialog({ kind: "leaveGroup", groupId, how: "dissolve" })}
        >
          {t("groups.dissolve")}
        </Button>
      )}
      {canLeave && (
        <Button
          variant="danger"
          size="small"
          onClick={() => openDialog({ kind: "leaveGroup", groupId, how: "quit" })}
        >
          {t("groups.quit")}
        </Button>
      )}
    </Row>
  );
}

/** A group that I am not in: its card, and a way to ask to join. */
function NonMemberView({ groupId }: { groupId: number }) {
  const t = useText();
  const { groups } = useClient();
  const { value: card, failure, reload } = useLoaded(() => groups.find(groupId), String(groupId));
  if (failure !== null) {
    // The group does not exist or no longer exists, so a retry is useless.
    const isPermanent = failure.kind === "refused" && failure.key?.startsWith("group.") === true;
    return (
      <EmptyState
        illustration={isPermanent ? <SearchIllustration /> : <BrokenIllustration />}
        text={failureText(failure, t)}
        action={
          isPermanent ? (
            <Button onClick={() => openDialog({ kind: "joinGroup" })}>{t("groups.join")}</Button>
          ) : (
            <Button onClick={reload}>{t("app.retry")}</Button>
          )
        }
      />
    );
  }
  if (card === null) return <GroupDetailSkeleton />;
  return (
    <>
      <GroupTitle card={card} />
      <WayIn groupId={groupId} mode={joinModeOf(card)} />
    </>
  );
}

/** How a person who is not in the group gets in: at once, by asking, or only by an invitation. */
function WayIn({ groupId, mode }: { groupId: number; mode: JoinMode }) {
  const t = useText();
  const membership = useGroupMembership(groupId);
  const [isFormOpen, setFormOpen] = useState(false);
  if (membership === "asked") return <p className={styles.standing}>{t("groups.waiting")}</p>;
  if (mode === JoinMode.INVITATION) return <p className={styles.standing}>{t("groups.byInvitation")}</p>;
  if (isFormOpen) return <JoinRequestForm groupId={groupId} onDone={() => setFormOpen(false)} />;
  return (
    <Row wrap gap={8} align="stretch" marginBottom={24} className={styles.actions}>
      <Button variant="primary" size="large" onClick={() => setFormOpen(true)}>
        {t(mode === JoinMode.FREE ? "groups.joinThis" : "groups.askToJoin")}
      </Button>
    </Row>
  );
}

function GroupDetailSkeleton() {
  const t = useText();
  return (
    <Row gap={24} aria-busy="true">
      <output className="visually-hidden">{t("app.loading")}</output>
      <Skeleton width={96} height={96} radius={16} />
      <Stack gap={12} grow>
        <Skeleton width="40%" height={20} />
        <Skeleton width="64%" height={12} />
      </Stack>
    </Row>
  );
}
