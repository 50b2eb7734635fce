import { lazyScreen } from "../kit/loading/lazy-component.tsx";
import { closeDialog, type DialogRequest } from "../kit/dialogs/open-dialog.ts";
import { APP_COMMANDS } from "./commands.ts";
import { loadSwitcher } from "./app-shortcuts.ts";

const AddFriend = lazyScreen(() =>
  import("../features/contacts/add-friend-dialog.tsx").then((part) => part.AddFriendDialog),
);
const ApplyFriend = lazyScreen(() =>
  import("../features/contacts/apply-friend-dialog.tsx").then((part) => part.ApplyFriendDialog),
);
const UserCard = lazyScreen(() => import("../features/contacts/user-card.tsx").then((part) => part.UserCard));
const ConfirmBlock = lazyScreen(() =>
  import("../features/contacts/confirm-block.tsx").then((part) => part.ConfirmBlock),
);
const Report = lazyScreen(() =>
  import("../features/contacts/report-dialog.tsx").then((part) => part.ReportDialog),
);
const Recommend = lazyScreen(() =>
  import("../features/chat/recommend-dialog.tsx").then((part) => part.RecommendDialog),
);
const GroupDialogs = lazyScreen(() =>
  import("../features/groups/group-dialogs.tsx").then((part) => part.GroupDialogs),
);
const OtherSettings = lazyScreen(() =>
  import("../features/settings/other-settings.tsx").then((part) => part.OtherSettings),
);
const BroadcastDialog = lazyScreen(() =>
  import("../features/broadcast/broadcast-dialog.tsx").then((part) => part.BroadcastDialog),
);
const Switcher = lazyScreen(loadSwitcher);
const ShareRequest = lazyScreen(() => import("./share-request.tsx").then((part) => part.ShareRequest));
const Screenshot = lazyScreen(() =>
  import("../features/chat/composer/screenshot/desktop-screenshot-dialog.tsx").then(
    (part) => part.ScreenshotDialog,
  ),
);
const Profile = lazyScreen(() =>
  import("../features/profile/profile-dialog.tsx").then((part) => part.ProfileDialog),
);
const CloseAccount = lazyScreen(() =>
  import("../features/settings/close-account.tsx").then((part) => part.CloseAccount),
);

/** The dialog of a request. */
export function RequestedDialog({ request }: { request: DialogRequest }) {
  switch (request.kind) {
    case "userCard":
      return (
        <UserCard
          key={request.userId}
          userId={request.userId}
          x={request.x}
          y={request.y}
          source={request.source}
          onClose={closeDialog}
        />
      );
    case "switcher":
      return <Switcher commands={APP_COMMANDS} onClose={closeDialog} />;
    case "addFriend":
      return <AddFriend onClose={closeDialog} />;
    case "applyFriend":
      return (
        <ApplyFriend
          userId={request.userId}
          name={request.name}
          source={request.source}
          onClose={closeDialog}
        />
      );
    case "confirmBlock":
      return <ConfirmBlock userId={request.userId} name={request.name} onClose={closeDialog} />;
    case "report":
      return <Report thing={request.thing} name={request.name} onClose={closeDialog} />;
    case "recommend":
      return <Recommend userId={request.userId} name={request.name} onClose={closeDialog} />;
    case "share":
      return <ShareRequest onClose={closeDialog} />;
    case "screenshot":
      return <Screenshot chatKey={request.chatKey} picture={request.picture} onClose={closeDialog} />;
    case "otherSettings":
      return <OtherSettings onClose={closeDialog} />;
    case "broadcast":
      return <BroadcastDialog onClose={closeDialog} />;
    case "createGroup":
    case "joinGroup":
    case "pickMembers":
    case "callMembers":
    case "removeMember":
    case "transferGroup":
    case "leaveGroup":
    case "groupNotice":
      return <GroupDialogs request={request} onClose={closeDialog} />;
    case "profile":
      return <Profile onClose={closeDialog} />;
    case "closeAccount":
      return <CloseAccount onClose={closeDialog} />;
    case "command":
      return <request.Dialog onClose={closeDialog} />;
  }
}
