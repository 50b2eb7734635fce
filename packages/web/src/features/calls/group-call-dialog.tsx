import type { GroupCallView } from "@parley/core/model/calls/call";
import { useGroup } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { CallControls, WindowButtons } from "./call-controls.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";

/** The call of a group. */
export function GroupCallDialog({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const group = useGroup(call.groupId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t("call.title.group", { name: group.name })}
      width="800px"
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <WindowButtons />
      <CallControls call={call} />
    </SurfaceDialog>
  );
}
