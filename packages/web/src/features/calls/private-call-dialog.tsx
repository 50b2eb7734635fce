import type { PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { usePerson } from "../../kit/person.ts";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { CallControls, WindowButtons } from "./call-controls.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";

/** A call between two people. */
export function PrivateCallDialog({ call }: { readonly call: PrivateCallView }) {
  const t = useText();
  const { name } = usePerson(call.userId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t(`call.title.${call.mode}`, { name })}
      width={960}
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <WindowButtons />
      <CallControls call={call} />
    </SurfaceDialog>
  );
}
