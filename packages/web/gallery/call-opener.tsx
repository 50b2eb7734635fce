import { useEffect } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { restoreCall, useCallWindow } from "../src/features/calls/call-window.ts";
import { GroupCallDialog } from "../src/features/calls/group-call.tsx";
import { PrivateCallDialog } from "../src/features/calls/private-call.tsx";
import { forget, play } from "../src/features/calls/call-stream.tsx";
import { Opener } from "./sample.tsx";

interface CallOpenerProps {
  name: string;
  call: Call;
  /** The browser refuses to play the sound. */
  isHeldBack?: boolean;
}

/** A button that opens the dialog of a call. What makes it small in the product closes it here. */
export function CallOpener({ name, call, isHeldBack = false }: CallOpenerProps) {
  return (
    <Opener name={name}>
      {(close) => (
        <>
          <OpenCall call={call} onMinimise={close} />
          {isHeldBack && <HeldBackSound />}
        </>
      )}
    </Opener>
  );
}

function OpenCall({ call, onMinimise }: { call: Call; onMinimise: () => void }) {
  const isMinimised = useCallWindow((window) => window.isMinimised);
  useEffect(() => {
    if (!isMinimised) return;
    restoreCall();
    onMinimise();
  }, [isMinimised, onMinimise]);
  return call.kind === "private" ? <PrivateCallDialog call={call} /> : <GroupCallDialog call={call} />;
}

/** A sound that cannot be played, because nobody has touched the page. */
function HeldBackSound() {
  useEffect(() => {
    const sound = new Audio();
    sound.play = () => Promise.reject(new DOMException("", "NotAllowedError"));
    void play(sound);
    return () => forget(sound);
  }, []);
  return null;
}
