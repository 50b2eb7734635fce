import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { setSpeaker } from "../../kit/settings/call-devices.ts";
import { lazyComponent } from "../../kit/loading/lazy-component.tsx";
import { useDialogRequest } from "../../kit/dialogs/open-dialog.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { isInUse } from "./call-controls.tsx";
import { CallAudio, hasPictureInPicture, PictureInPictureVideo, shownPerson } from "./call-stream.tsx";
import { useCallWindow, watchCallWindow } from "./call-window.ts";
import { GroupCallDialog } from "./group-call.tsx";
import { IncomingCall } from "./incoming-call.tsx";
import { MinimisedCall } from "./minimised-call.tsx";
import { PrivateCallDialog } from "./private-call.tsx";
import { answerScreenRequest, useScreenRequest } from "./screen-request.ts";

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

/** Where keys write, or choose. */
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"]';

/**
 * The keys of a call: M, V, and Space to talk for as long as it is held while the microphone is off. These are for the call alone while it
 * is large (`isLarge`); the key that hangs up works always.
 */
function useCallKeys(call: Call, isLarge: boolean): void {
  const { calls } = useClient();
  const { local, stage } = call;
  const hold = useHeldMicrophone(call);

  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (stage === "ringing" || event.defaultPrevented || event.isComposing) return;
    const use = (run: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) run();
    };
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === "KeyH") use(() => calls.end());
    else if (!isLarge || !isPlain || isFor(event, FIELDS)) return;
    else if (event.code === "KeyM") use(() => calls.setMicrophone(!isInUse(local.microphone)));
    else if (event.code === "KeyV") use(() => calls.setCamera(!isInUse(local.camera)));
    // Space presses a button that was reached with the keyboard.
    else if (event.code === "Space" && !isFor(event, ":focus-visible:is(button, a)")) use(hold.begin);
  });
  const handleKeyUp = useEffectEvent((event: KeyboardEvent) => {
    if (event.code === "Space" && hold.end()) event.preventDefault();
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKeyDown(event);
    const onKeyUp = (event: KeyboardEvent) => handleKeyUp(event);
    addEventListener("keydown", onKeyDown, { capture: true });
    addEventListener("keyup", onKeyUp, { capture: true });
    return () => {
      removeEventListener("keydown", onKeyDown, { capture: true });
      removeEventListener("keyup", onKeyUp, { capture: true });
    };
  }, []);
}

function isFor({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** The microphone while a key is held: on from `begin` to `end`, or until the window loses the keyboard. */
function useHeldMicrophone({ local }: Call) {
  const { calls } = useClient();
  const isHeld = useRef(false);
  const begin = () => {
    if (isInUse(local.microphone)) return;
    isHeld.current = true;
    calls.setMicrophone(true);
  };
  /** Whether it was held. */
  const end = useCallback(() => {
    const wasHeld = isHeld.current;
    isHeld.current = false;
    if (wasHeld) calls.setMicrophone(false);
    return wasHeld;
  }, [calls]);
  useEffect(() => {
    addEventListener("blur", end);
    return () => {
      removeEventListener("blur", end);
      end();
    };
  }, [end]);
  return { begin, end };
}

/** Keeps the screen on. The browser gives the lock up whenever the page is hidden, so it is taken again when the page is seen. */
function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Navigator>;
    if (!isOn || wakeLock === undefined) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const isHeld = () => lock !== null && !lock.released;
    const take = async () => {
      if (document.visibilityState !== "visible" || isHeld()) return;
      try {
        const taken = await wakeLock.request("screen");
        // Another lock may have been taken since.
        if (isOver || isHeld()) await taken.release();
        else lock = taken;
      } catch {
        // Refused, for example because the battery is low: then the screen goes off as always.
      }
    };
    const retake = () => void take();
    void take();
    document.addEventListener("visibilitychange", retake);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", retake);
      void lock?.release();
    };
  }, [isOn]);
}
