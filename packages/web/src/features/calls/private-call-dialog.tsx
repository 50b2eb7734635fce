import type { PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { usePerson } from "../../kit/person.ts";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { hasPictures } from "./call-status.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";
import { PrivateCall } from "./private-call.tsx";

/** 960 px (spec §9), or less so that a picture of 16:9 is at most 90 % of the height of the window. */
const VIDEO_WIDTH = "min(960px, 160dvh)";
const VOICE_WIDTH = "22.5rem";

/** A call between two people, over the page. Esc makes it small. */
export function PrivateCallDialog({ call }: { readonly call: PrivateCallView }) {
  const t = useText();
  const { name } = usePerson(call.userId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t(`call.title.${call.mode}`, { name })}
      width={hasPictures(call) ? VIDEO_WIDTH : VOICE_WIDTH}
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <PrivateCall call={call} />
    </SurfaceDialog>
  );
}
