import { useState } from "react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import type { Result } from "@parley/core/model/state";
import { memberNameOf, useGroup } from "../../kit/groups.ts";
import { useText } from "../../kit/i18n.ts";
import type { TextId } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Problem } from "./problem.tsx";
import { useDeed } from "./use-deed.ts";
import styles from "./dialogs.module.css";

interface QuestionProps {
  title: string;
  body: ReactNode;
  confirmLabel: string;
  failed: TextId;
  /** Why it cannot be done any more. */
  isOver?: string | undefined;
  work: () => Promise<Result<unknown>>;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back; stays, and says so, when it did not come about. */
function Question({ title, body, confirmLabel, failed, isOver, work, onDone, onClose }: QuestionProps) {
  const t = useText();
  const { isBusy, hasFailed, run } = useDeed();
  if (isOver !== undefined && !isBusy) {
    return (
      <ConfirmDialog
        isOpen
        title={title}
        body={isOver}
        confirmLabel={t("app.close")}
        onConfirm={onClose}
        onCancel={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={title}
      body={
        <>
          {body}
          {hasFailed && (
            <div className={styles.questionProblem}>
              <Problem text={t(failed)} />
            </div>
          )}
        </>
      }
      confirmLabel={confirmLabel}
      cancelLabel={t("app.cancel")}
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() =>
        run(work, () => {
          onClose();
          onDone?.();
        })
      }
    />
  );
}

function useName(groupId: number, userId: number): string {
  const t = useText();
  return useClientState((state) => memberNameOf(state, groupId, userId, null, t));
}

/** Words for somebody who has left while the question stood there. */
function useGone(groupId: number, userId: number): string | undefined {
  const t = useText();
  const isGone = useClientState((state) => state.groups.members[groupId]?.byId[userId]?.quit === true);
  return isGone ? t("groups.isGone") : undefined;
}

interface MemberQuestionProps {
  groupId: number;
  userId: number;
  onClose: () => void;
}

/** Removes one member, with what they wrote if asked. */
export function RemoveMemberDialog({ groupId, userId, onClose }: MemberQuestionProps) {
  const t = useText();
  const { groups } = useClient();
  const name = useName(groupId, userId);
  const [withMessages, setWithMessages] = useState(false);
  return (
    <Question
      title={t("groups.removeTitle", { name })}
      body={
        <>
          {t("groups.removeBody")}
          <div className={styles.choice}>
            <Checkbox checked={withMessages} onChange={setWithMessages}>
              {t("groups.removeMessages")}
            </Checkbox>
          </div>
        </>
      }
      confirmLabel={t("groups.remove")}
      failed="groups.removeFailed"
      isOver={useGone(groupId, userId)}
      work={() => groups.removeMembers(groupId, [userId], withMessages)}
      onClose={onClose}
    />
  );
}

/** Hands the group over to a member. */
export function TransferDialog({ groupId, userId, onClose }: MemberQuestionProps) {
  const t = useText();
  const { groups } = useClient();
  const name = useName(groupId, userId);
  return (
    <Question
      title={t("groups.transferTitle", { name })}
      body={t("groups.transferBody")}
      confirmLabel={t("groups.transferConfirm")}
      failed="groups.operationFailed"
      isOver={useGone(groupId, userId)}
      work={() => groups.transfer(groupId, userId)}
      onClose={onClose}
    />
  );
}

interface LeaveGroupDialogProps {
  groupId: number;
  how: "quit" | "dissolve";
  onClose: () => void;
}

/** Leaves a group, or dissolves one's own. */
export function LeaveGroupDialog({ groupId, how, onClose }: LeaveGroupDialogProps) {
  const t = useText();
  const { groups } = useClient();
  const [location, navigate] = useLocation();
  const { name } = useGroup(groupId);
  return (
    <Question
      title={t(`groups.${how}Title`)}
      body={t(`groups.${how}Body`, { name })}
      confirmLabel={t(`groups.${how}Confirm`)}
      failed="groups.operationFailed"
      work={() => groups[how](groupId)}
      // The page of a group I am not in has nothing to show.
      onDone={() => {
        if (location.startsWith("/home/group/")) navigate("/home/group");
      }}
      onClose={onClose}
    />
  );
}
