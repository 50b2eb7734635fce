import type { GroupDialogRequest } from "../../kit/dialogs/open-dialog.ts";
import { CallMembersDialog, PickMembersDialog } from "./pick-members-dialog.tsx";
import { CreateGroupDialog } from "./create-group-dialog.tsx";
import { JoinGroupDialog } from "./join-group-dialog.tsx";
import { LeaveGroupDialog, RemoveMemberDialog, TransferDialog } from "./confirm-dialogs.tsx";
import { NoticeDialog } from "./notice-dialog.tsx";

/** Shows the requested dialog about groups. */
export function GroupDialogs({ request, onClose }: { request: GroupDialogRequest; onClose: () => void }) {
  switch (request.kind) {
    case "createGroup":
      return <CreateGroupDialog onClose={onClose} />;
    case "joinGroup":
      return <JoinGroupDialog number={request.number ?? null} onClose={onClose} />;
    case "pickMembers":
      return (
        <PickMembersDialog
          key={request.action}
          groupId={request.groupId}
          action={request.action}
          onClose={onClose}
        />
      );
    case "callMembers":
      return (
        <CallMembersDialog key={request.how} groupId={request.groupId} how={request.how} onClose={onClose} />
      );
    case "removeMember":
      return <RemoveMemberDialog groupId={request.groupId} userId={request.userId} onClose={onClose} />;
    case "transferGroup":
      return <TransferDialog groupId={request.groupId} userId={request.userId} onClose={onClose} />;
    case "leaveGroup":
      return <LeaveGroupDialog groupId={request.groupId} how={request.how} onClose={onClose} />;
    case "groupNotice":
      return <NoticeDialog groupId={request.groupId} onClose={onClose} />;
  }
}
