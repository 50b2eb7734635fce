import { Suspense, lazy } from "react";
import { closeDialog, useDialogRequest } from "../kit/dialogs.ts";
import { loadChunk } from "./load-chunk.ts";

const AddFriend = lazy(() =>
  loadChunk(() =>
    import("../features/contacts/add-friend-dialog.tsx").then((part) => ({ default: part.AddFriendDialog })),
  ),
);
const ApplyFriend = lazy(() =>
  loadChunk(() =>
    import("../features/contacts/apply-friend-dialog.tsx").then((part) => ({
      default: part.ApplyFriendDialog,
    })),
  ),
);
const UserCard = lazy(() =>
  loadChunk(() => import("../features/contacts/user-card.tsx").then((part) => ({ default: part.UserCard }))),
);

const ConfirmLogout = lazy(() =>
  loadChunk(() => import("./confirm-logout.tsx").then((part) => ({ default: part.ConfirmLogout }))),
);

/** Shows the dialog some feature asked for. */
export function Dialogs() {
  const request = useDialogRequest();
  if (request === null) return null;
  return (
    <Suspense>
      <Requested request={request} />
    </Suspense>
  );
}

function Requested({ request }: { request: NonNullable<ReturnType<typeof useDialogRequest>> }) {
  switch (request.kind) {
    case "userCard":
      return (
        <UserCard
          key={request.userId}
          userId={request.userId}
          x={request.x}
          y={request.y}
          onClose={closeDialog}
        />
      );
    case "addFriend":
      return <AddFriend onClose={closeDialog} />;
    case "applyFriend":
      return <ApplyFriend userId={request.userId} name={request.name} onClose={closeDialog} />;
    case "confirmLogout":
      return <ConfirmLogout />;
  }
}
