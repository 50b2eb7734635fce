import type { PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { usePerson } from "../../kit/person.ts";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { hasPictures } from "./call-status.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";
import { PrivateCall } from "./private-call.tsx";

/** A call between two people, over the page. Esc makes it small. */
export function PrivateCallDialog({ call }: { readonly call: PrivateCallView }) {
  const t = useText();
  const { name } = usePerson(call.userId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t(`call.title.${call.mode}`, { name })}
      width={hasPictures(call) ? "min(960px, 160dvh)" : "360px"}
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <PrivateCall call={call} />
    </SurfaceDialog>
  );
}
