import { Suspense, lazy, useEffect } from "react";
import { closeDialog, useDialogRequest } from "../kit/dialogs.ts";
import { loadTexts, useText } from "../kit/i18n.ts";
import { toasts } from "../kit/toasts.ts";
import { loadAboutDialog, loadClearHistory, loadOtherSettings, loadSettingsDialog } from "./load-settings.ts";
import { loadSwitcher } from "./load-switcher.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { loadChunk } from "../kit/load-chunk.ts";

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

const ConfirmBlock = lazy(() =>
  loadChunk(() =>
    import("../features/contacts/confirm-block.tsx").then((part) => ({ default: part.ConfirmBlock })),
  ),
);
const GroupDialogs = lazy(() =>
  loadChunk(async () => {
    const [part] = await Promise.all([import("../features/groups/group-dialogs.tsx"), loadTexts("late")]);
    return { default: part.GroupDialogs };
  }),
);
const Settings = lazy(() => loadChunk(() => loadSettingsDialog().then((part) => ({ default: part }))));
const OtherSettings = lazy(() => loadChunk(() => loadOtherSettings().then((part) => ({ default: part }))));
const ClearHistory = lazy(() => loadChunk(() => loadClearHistory().then((part) => ({ default: part }))));
const AboutDialog = lazy(() => loadChunk(() => loadAboutDialog().then((part) => ({ default: part }))));
const Switcher = lazy(() => loadChunk(() => loadSwitcher()));
const Keys = lazy(() =>
  loadChunk(async () => {
    const [part] = await Promise.all([import("../features/search/keys-dialog.tsx"), loadTexts("late")]);
    return { default: part.KeysDialog };
  }),
);

const ConfirmLogout = lazy(() =>
  loadChunk(() => import("./confirm-logout.tsx").then((part) => ({ default: part.ConfirmLogout }))),
);

/** Shows the dialog some feature asked for. */
export function Dialogs() {
  const request = useDialogRequest();
  if (request === null) return null;
  return (
    <ErrorBoundary instead={<Missing />}>
      <Suspense>
        <Requested request={request} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** A dialog that does not come is told of and given up; the screen behind it lives on. */
function Missing() {
  const t = useText();
  useEffect(() => {
    toasts.long(t("app.chunkFailed"));
    closeDialog();
  }, [t]);
  return null;
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
    case "switcher":
      return <Switcher onClose={closeDialog} />;
    case "keys":
      return <Keys onClose={closeDialog} />;
    case "addFriend":
      return <AddFriend onClose={closeDialog} />;
    case "applyFriend":
      return <ApplyFriend userId={request.userId} name={request.name} onClose={closeDialog} />;
    case "confirmBlock":
      return <ConfirmBlock userId={request.userId} name={request.name} onClose={closeDialog} />;
    case "settings":
      return <Settings onClose={closeDialog} />;
    case "otherSettings":
      return <OtherSettings onClose={closeDialog} />;
    case "clearHistory":
      return <ClearHistory onClose={closeDialog} />;
    case "about":
      return <AboutDialog onClose={closeDialog} />;
    case "createGroup":
    case "joinGroup":
    case "pickMembers":
    case "removeMember":
    case "transferGroup":
    case "leaveGroup":
    case "groupNotice":
      return <GroupDialogs request={request} onClose={closeDialog} />;
    case "confirmLogout":
      return <ConfirmLogout />;
  }
}
