import { useState } from "react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import type { Result } from "@parley/core/model/state";
import { memberNameOf, useGroup } from "../../kit/chats/group.ts";
import { goUp } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import type { TextId } from "../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Box } from "../../ui/layout.tsx";
import { DialogError, useAction } from "./dialog-action.tsx";

interface ConfirmActionDialogProps {
  title: string;
  body: ReactNode;
  confirmLabel: string;
  failureTextId: TextId;
  /** Why the action is no longer possible. */
  endedText?: string | undefined;
  action: () => Promise<Result<unknown>>;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an action that cannot be undone. After a failure it stays open and says so. */
function ConfirmActionDialog({
  title,
  body,
  confirmLabel,
  failureTextId,
  endedText,
  action,
  onDone,
  onClose,
}: ConfirmActionDialogProps) {
  const t = useText();
  const { isBusy, hasFailed, run } = useAction();
  if (endedText !== undefined && !isBusy) {
    return (
      <ConfirmDialog
        isOpen
        title={title}
        body={endedText}
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
            <Box marginTop={12}>
              <DialogError text={t(failureTextId)} />
            </Box>
          )}
        </>
      }
      confirmLabel={confirmLabel}
      cancelLabel={t("app.cancel")}
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() =>
        run(action, () => {
          onClose();
          onDone?.();
        })
      }
    />
  );
}

function useMemberName(groupId: number, userId: number): string {
  const t = useText();
  return useClientState((state) => memberNameOf(state, groupId, userId, null, t));
}

/** Text for the case that the member left the group while the dialog was open. */
function useMemberLeftText(groupId: number, userId: number): string | undefined {
  const t = useText();
  const hasLeft = useClientState((state) => state.groups.members[groupId]?.byId[userId]?.quit === true);
  return hasLeft ? t("groups.isGone") : undefined;
}

interface MemberDialogProps {
  groupId: number;
  userId: number;
  onClose: () => void;
}

/** Removes a member, optionally with their messages. */
export function RemoveMemberDialog({ groupId, userId, onClose }: MemberDialogProps) {
  const t = useText();
  const { groups } = useClient();
  const name = useMemberName(groupId, userId);
  const [withMessages, setWithMessages] = useState(false);
  return (
    <ConfirmActionDialog
      title={t("groups.removeTitle", { name })}
      body={
        <>
          {t("groups.removeBody")}
          <Box marginTop={12}>
            <Checkbox checked={withMessages} onChange={setWithMessages}>
              {t("groups.removeMessages")}
            </Checkbox>
          </Box>
        </>
      }
      confirmLabel={t("groups.remove")}
      failureTextId="groups.removeFailed"
      endedText={useMemberLeftText(groupId, userId)}
      action={() => groups.removeMembers(groupId, [userId], withMessages)}
      onClose={onClose}
    />
  );
}

/** Hands the group over to a member. */
export function TransferDialog({ groupId, userId, onClose }: MemberDialogProps) {
  const t = useText();
  const { groups } = useClient();
  const name = useMemberName(groupId, userId);
  return (
    <ConfirmActionDialog
      title={t("groups.transferTitle", { name })}
      body={t("groups.transferBody")}
      confirmLabel={t("groups.transferConfirm")}
      failureTextId="groups.operationFailed"
      endedText={useMemberLeftText(groupId, userId)}
      action={() => groups.transfer(groupId, userId)}
      onClose={onClose}
    />
  );
}

interface LeaveGroupDialogProps {
  groupId: number;
  how: "quit" | "dissolve";
  onClose: () => void;
}

/** Leaves a group, or dissolves it as its owner. */
export function LeaveGroupDialog({ groupId, how, onClose }: LeaveGroupDialogProps) {
  const t = useText();
  const { groups } = useClient();
  const [location] = useLocation();
  const { name } = useGroup(groupId);
  return (
    <ConfirmActionDialog
      title={t(`groups.${how}Title`)}
      body={t(`groups.${how}Body`, { name })}
      confirmLabel={t(`groups.${how}Confirm`)}
      failureTextId="groups.operationFailed"
      action={() => groups[how](groupId)}
      // The page of a group that I am not in has nothing to show.
      onDone={() => {
        if (location.startsWith("/home/group/")) goUp("/home/group");
      }}
      onClose={onClose}
    />
  );
}
