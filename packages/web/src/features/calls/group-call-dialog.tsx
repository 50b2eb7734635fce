import type { GroupCallView } from "@parley/core/model/calls/call";
import { useGroup } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";
import { GroupCall } from "./group-call.tsx";

/** The call of a group, over the page. Esc makes it small. */
export function GroupCallDialog({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const { name } = useGroup(call.groupId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t("call.title.group", { name })}
      width="50rem"
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <GroupCall call={call} />
    </SurfaceDialog>
  );
}
