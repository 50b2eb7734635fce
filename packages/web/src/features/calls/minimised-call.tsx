import { useLayoutEffect, useRef, useState } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { useGroup } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { usePerson } from "../../kit/people/person.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Row, Text } from "../../ui/layout.tsx";
import { pageTop } from "../../ui/popover-position.ts";
import { EndButton, MicrophoneButton, PictureInPictureButton } from "./call-controls.tsx";
import { CallStatus } from "./call-status.tsx";
import { CallVideo, shownPerson } from "./call-stream.tsx";
import { restoreCall } from "./call-window.ts";
import { useDrag } from "./use-drag.ts";
import type { Offset } from "./use-drag.ts";
import styles from "./minimised-call.module.css";

/** Distance from the edge of the window, px. */
const EDGE = 8;

/** A call as a small window that leaves the page usable. The pointer moves it; a press on it makes it large again. */
export function MinimisedCall({ call }: { readonly call: Call }) {
  const t = useText();
  const { calls } = useClient();
  const box = useRef<HTMLElement>(null);
  const [position, setPosition] = useState<Offset>({ x: 0, y: 0 });
  const { offset, handlers } = useDrag<HTMLElement>((moved) =>
    setPosition({ x: position.x + moved.x, y: position.y + moved.y }),
  );
  useInsideWindow(box, position, setPosition);
  const shown = shownPerson(call);
  const stream = shown === null ? null : calls.remoteStream(shown);
  const x = position.x + (offset?.x ?? 0);
  const y = position.y + (offset?.y ?? 0);
  return (
    <section
      ref={box}
      className={classNames(styles.window, stream === null ? styles.voice : styles.video)}
      style={{ transform: `translate(${x}px, ${y}px)` }}
      aria-label={t("call.window")}
      {...handlers}
    >
      {stream !== null && <CallVideo stream={stream} />}
      <button type="button" className={styles.restore} aria-label={t("call.restore")} onClick={restoreCall} />
      {stream === null ? (
        <Summary call={call} />
      ) : (
        <Text paddingX={8} paddingY={2} size={13} className={styles.tag}>
          <CallStatus call={call} />
        </Text>
      )}
      {stream !== null && (
        <span className={styles.top}>
          <PictureInPictureButton size={32} />
        </span>
      )}
      <Row as="span" gap={8} align="stretch" shrink={false} className={styles.buttons}>
        <MicrophoneButton state={call.local.microphone} size={32} />
        <EndButton call={call} size={32} />
      </Row>
    </section>
  );
}

function Summary({ call }: { readonly call: Call }) {
  return (
    <span className={styles.summary}>
      {call.kind === "private" ? (
        <PersonSummary userId={call.userId} />
      ) : (
        <GroupSummary groupId={call.groupId} />
      )}
      <Text truncate size={12} line={16} tone="stageSoft" className={styles.status}>
        <CallStatus call={call} />
      </Text>
    </span>
  );
}

function PersonSummary({ userId }: { readonly userId: number }) {
  const { name, picture } = usePerson(userId);
  return (
    <>
      <Avatar name={name} url={picture} id={userId} size={40} />
      <Text as="bdi" truncate size={14} line={20} weight="name" className={styles.name}>
        {name}
      </Text>
    </>
  );
}

function GroupSummary({ groupId }: { readonly groupId: number }) {
  const { name, picture } = useGroup(groupId);
  return (
    <>
      <Avatar name={name} url={picture} id={groupId} size={40} shape="rounded" />
      <Text as="bdi" truncate size={14} line={20} weight="name" className={styles.name}>
        {name}
      </Text>
    </>
  );
}

/** Brings the small window back into the window of the browser: after a movement, and when that gets smaller. */
function useInsideWindow(
  box: { readonly current: HTMLElement | null },
  position: Offset,
  setPosition: (position: Offset) => void,
): void {
  useLayoutEffect(() => {
    const bringBack = () => {
      const element = box.current;
      // Where it begins, it is inside.
      if (element === null || (position.x === 0 && position.y === 0)) return;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const x = Math.max(EDGE - left, 0) + Math.min(innerWidth - EDGE - right, 0);
      const y = Math.max(pageTop() + EDGE - top, 0) + Math.min(innerHeight - EDGE - bottom, 0);
      if (x !== 0 || y !== 0) setPosition({ x: position.x + x, y: position.y + y });
    };
    bringBack();
    addEventListener("resize", bringBack);
    return () => removeEventListener("resize", bringBack);
  }, [box, position, setPosition]);
}
