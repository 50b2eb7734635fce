import { useDeferredValue, useEffect } from "react";
import { useLocation } from "wouter";
import { chatPath, useShowRequest } from "../kit/chats/show-message.ts";
import { goDown } from "../kit/dialogs/go-up.ts";
import { lazyComponent } from "../kit/loading/lazy-component.tsx";
import { closeDialog, useDialogRequest, closePicture, useOpenPicture } from "../kit/dialogs/open-dialog.ts";
import { useClientState } from "../kit/loading/use-client.ts";
import { loadCallsChunk } from "./load-calls.ts";

/** Loads what knows all dialogs. Each dialog is loaded when it is shown. */
export const loadRequestedDialog = () => import("./requested-dialog.tsx");

const RequestedDialog = lazyComponent(() => loadRequestedDialog().then((part) => part.RequestedDialog));
const PictureViewer = lazyComponent(() =>
  import("../features/chat/viewer/viewer-chunk.ts").then((part) => part.PictureViewer),
);
const CallScreen = lazyComponent(() => loadCallsChunk().then((part) => part.CallScreen));

/** Shows the dialog that a feature requested. If it cannot be loaded, a toast says so, and the screen behind it keeps working. */
export function DialogHost() {
  const request = useDialogRequest();
  return request === null ? null : <RequestedDialog request={request} onMissing={closeDialog} />;
}

/** Shows the picture that a feature opened. It is above the dialogs, so that a card stays open below it. */
export function PictureHost() {
  const picture = useOpenPicture();
  if (picture === null) return null;
  return <PictureViewer picture={picture} onClose={closePicture} onMissing={closePicture} />;
}

/**
 * Shows the call of this page. Signals of the call, and what devices deliver, go before: many of them come at once when a call is answered, and
 * each would wait while the one before is shown.
 */
export function CallHost() {
  const call = useDeferredValue(useClientState((state) => state.call));
  return call === null ? null : <CallScreen call={call} />;
}

/** Opens the chat of a requested message. The conversation itself then scrolls to the message. */
export function useShownChat(): void {
  const key = useShowRequest()?.key;
  const path = key === undefined ? null : chatPath(key);
  const [location] = useLocation();
  useEffect(() => {
    if (path !== null && path !== location) goDown(path);
  }, [path, location]);
}
