import { useEffect, useState } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { setSpeaker } from "../../kit/call-devices.ts";
import { lazyComponent } from "../../kit/lazy-component.tsx";
import { useDialogRequest } from "../../kit/open-dialog.ts";
import { useClient } from "../../kit/use-client.ts";
import { CallAudio, PictureInPictureVideo } from "./call-stream.tsx";
import { useCallWindow, watchCallWindow } from "./call-window.ts";
import { GroupCallDialog } from "./group-call-dialog.tsx";
import { IncomingCall } from "./incoming-call.tsx";
import { MinimisedCall } from "./minimised-call.tsx";
import { hasPictureInPicture } from "./picture-in-picture.ts";
import { PrivateCallDialog } from "./private-call-dialog.tsx";
import { answerScreenRequest, useScreenRequest } from "./screen-request.ts";
import { shownPerson } from "./shown-person.ts";
import { useCallKeys } from "./use-call-keys.ts";
import { useWakeLock } from "./use-wake-lock.ts";

const ScreenChoice = lazyComponent(() =>
  import("./desktop-screen-choice.tsx").then((part) => part.ScreenChoice),
);

/** Shows the call of this page, and plays its sound. */
export function CallLayer({ call }: { readonly call: Call }) {
  const client = useClient();
  const isMinimised = useCallWindow((window) => window.isMinimised);
  // A dialog above the call, such as whom to invite, has its own keys.
  const screenRequest = useScreenRequest();
  const isCovered = useDialogRequest() !== null || screenRequest !== null;
  useCallKeys(call, !isMinimised && !isCovered);
  useWakeLock(call.stage === "talking");
  useEffect(watchCallWindow, []);
  useEffect(() => {
    client.calls.devices().then(({ chosen }) => setSpeaker(chosen.speaker), reportError);
  }, [client]);
  const shown = shownPerson(call);
  const isPrompt = usePrompt(call);
  if (isPrompt) return <IncomingCall call={call} />;
  return (
    <>
      <CallSound call={call} />
      {hasPictureInPicture() && (
        <PictureInPictureVideo stream={shown === null ? null : client.calls.remoteStream(shown)} />
      )}
      {isMinimised ? (
        <MinimisedCall call={call} />
      ) : call.kind === "private" ? (
        <PrivateCallDialog call={call} />
      ) : (
        <GroupCallDialog call={call} />
      )}
      {screenRequest !== null && (
        <ScreenChoice
          key={screenRequest.requestId}
          request={screenRequest}
          onMissing={() => answerScreenRequest(null)}
        />
      )}
    </>
  );
}

/** The longest time that the prompt stays after an answer. */
const PROMPT_STAYS_MS = 100;

/**
 * Whether the call is shown as the prompt: while it rings, and after the answer until microphone and camera are open. To make the dialog, the
 * page stands still for a moment, in which it could not send what they deliver. The first picture would come so much later.
 */
function usePrompt(call: Call): boolean {
  const isRinging = call.stage === "ringing";
  const [hasRung, setHasRung] = useState(isRinging);
  const isOpening = [call.local.microphone, call.local.camera].some(({ kind }) => kind === "opening");
  if (hasRung !== isRinging && (isRinging || !isOpening)) setHasRung(isRinging);
  const isAnswered = hasRung && !isRinging;
  useEffect(() => {
    if (!isAnswered) return;
    const timer = window.setTimeout(() => setHasRung(false), PROMPT_STAYS_MS);
    return () => window.clearTimeout(timer);
  }, [isAnswered]);
  return isRinging || (hasRung && isOpening);
}

/** The sound of everybody else, for as long as the call lasts, however it is shown. */
function CallSound({ call }: { readonly call: Call }) {
  const client = useClient();
  const userIds = call.kind === "private" ? [call.userId] : call.people.map(({ userId }) => userId);
  return userIds.map((userId) => <CallAudio key={userId} stream={client.calls.remoteStream(userId)} />);
}
