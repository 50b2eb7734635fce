import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import { voiceOf } from "../media/media-content.ts";
import type { MessageKind } from "./lazy-kinds.tsx";
import styles from "./kinds.module.css";

const VoiceLine = lazyComponent(() => import("../voice/voice-controls.tsx").then((part) => part.VoiceLine));

/** A voice message. Its player is a file of its own, loaded when the first one is shown. */
function VoiceBubble(props: BubbleProps) {
  const voice = voiceOf(props.message);
  if (voice === null) return <UnsupportedBubble {...props} />;
  const box = <span className={styles.box} />;
  return (
    <BubbleFrame {...props} variant="voice">
      <VoiceLine chatKey={props.chatKey} message={props.message} voice={voice} waiting={box} />
    </BubbleFrame>
  );
}

export const audio: MessageKind = { Bubble: VoiceBubble };
