import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { MicOff } from "lucide-react";
import type { StreamData } from "@parley/core/call-ports";
import type { PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n/i18n.ts";
import { usePerson, type Person } from "../../kit/people/person.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { Box, Overlay, Row, Stack, Text } from "../../ui/layout.tsx";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { CallBanners } from "./call-banners.tsx";
import { CallControls, WindowButtons } from "./call-controls.tsx";
import { CallStatus, hasPictures } from "./call-status.tsx";
import { CallVideo } from "./call-stream.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";
import { useDrag } from "./use-drag.ts";
import styles from "./private-call.module.css";

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

/** The content of a call between two people. */
function PrivateCall({ call }: { readonly call: PrivateCallView }) {
  const person = usePerson(call.userId);
  return hasPictures(call) ? (
    <VideoCall call={call} person={person} />
  ) : (
    <VoiceCall call={call} person={person} />
  );
}

interface ContentProps {
  readonly call: PrivateCallView;
  readonly person: Person;
}

function VoiceCall({ call, person }: ContentProps) {
  return (
    <Stack align="center" className={styles.voice}>
      <div className={styles.corner}>
        <WindowButtons hasFullScreen={false} />
      </div>
      <Face call={call} person={person} />
      <Text as="p" truncate size={20} weight="title" textAlign="center" className={styles.name}>
        <bdi>{person.name}</bdi>
      </Text>
      <Text as="p" marginTop={4} tone="stageSoft" className={styles.status}>
        <CallStatus call={call} />
      </Text>
      <PeerMuted call={call} person={person} />
      <Stack gap={16} align="center" marginTop={32} className={styles.voiceEnd}>
        <CallBanners call={call} />
        <CallControls call={call} isLabelled hasScreen={false} />
      </Stack>
    </Stack>
  );
}

function VideoCall({ call, person }: ContentProps) {
  const { calls } = useClient();
  const stage = useRef<HTMLDivElement>(null);
  const { peer, local } = call;
  const remote = calls.remoteStream(call.userId);
  const isRemoteShown =
    (peer.isCamera || peer.isShareScreen) && peer.connection !== "none" && remote !== null;
  const isFrozen = isRemoteShown && peer.connection === "reconnecting";
  // What says that the picture has stopped stays.
  const isHidden = useHidingControls(stage, call.stage === "talking" && isRemoteShown && !isFrozen);
  const hasOwnPicture = local.camera.kind === "on" || local.screen === "on";
  return (
    <div ref={stage} className={styles.stage} data-hidden={isHidden || undefined}>
      {isRemoteShown ? (
        <CallVideo stream={remote} fit={peer.isShareScreen ? "contain" : "cover"} />
      ) : (
        <Overlay align="center" justify="center">
          <Face call={call} person={person} />
          {call.stage !== "talking" && (
            <Text as="p" truncate size={20} weight="title" textAlign="center" className={styles.name}>
              <bdi>{person.name}</bdi>
            </Text>
          )}
        </Overlay>
      )}
      {isFrozen && <Overlay as="span" className={styles.shade} />}
      {/* Read again with each new picture: `pictureVersion` is part of the call. */}
      {hasOwnPicture && <OwnPicture stream={calls.localStream()} isScreen={local.screen === "on"} />}
      <Row as="header" gap={8} tone="stage" className={classNames(styles.top, styles.hiding)}>
        <Text shrink truncate weight="title">
          <bdi>{person.name}</bdi>
        </Text>
        <Text tone="stageSoft" aria-hidden="true">
          ·
        </Text>
        <Text shrink={false} className={styles.topStatus}>
          <CallStatus call={call} />
        </Text>
        <PeerMuted call={call} person={person} />
        <Box as="span" grow />
        <WindowButtons hasPicture={isRemoteShown} />
      </Row>
      <div className={styles.banners}>
        <CallBanners call={call} />
      </div>
      <Box padding={8} className={classNames(styles.pill, styles.hiding)}>
        <CallControls call={call} />
      </Box>
    </div>
  );
}

/** The picture of the other person, with rings that say that they speak, or that it rings there. */
function Face({ call, person }: ContentProps) {
  const isRinging = call.stage === "calling";
  const isSpeaking = call.stage === "talking" && call.peer.isSpeaking;
  return (
    <span className={classNames(styles.face, isRinging && styles.ringing, isSpeaking && styles.speaking)}>
      <Avatar name={person.name} url={person.picture} id={person.id} size={96} />
    </span>
  );
}

/** Says that the other person has turned the microphone off. */
function PeerMuted({ call, person }: ContentProps) {
  const t = useText();
  if (call.stage !== "talking" || call.peer.isMicroPhone) return null;
  return (
    <span className={styles.muted}>
      <MicOff {...ICON_PROPS_14} />
      <Text shrink truncate className={styles.mutedText}>
        {t("call.peerMuted", { name: person.name })}
      </Text>
    </span>
  );
}

/** Clockwise. */
const CORNERS = ["topEnd", "bottomEnd", "bottomStart", "topStart"] as const;
type Corner = (typeof CORNERS)[number];

interface OwnPictureProps {
  readonly stream: StreamData | null;
  readonly isScreen: boolean;
}

/** What the own camera or screen shows, in a corner. The pointer moves it to another corner; a press moves it to the next one. */
function OwnPicture({ stream, isScreen }: OwnPictureProps) {
  const t = useText();
  const [corner, setCorner] = useState<Corner>("topEnd");
  const { offset, handlers } = useDrag<HTMLButtonElement>((moved, element) => {
    const stage = element.offsetParent;
    if (stage !== null) setCorner(nearestCorner(element, moved, stage));
  });
  const next = () => setCorner(CORNERS[(CORNERS.indexOf(corner) + 1) % CORNERS.length] ?? "topEnd");
  return (
    <button
      type="button"
      className={classNames(styles.own, styles[corner], offset !== null && styles.ownDragged)}
      style={offset === null ? undefined : { transform: `translate(${offset.x}px, ${offset.y}px)` }}
      aria-label={t("call.moveOwn")}
      onClick={next}
      {...handlers}
    >
      <CallVideo stream={stream} isMirrored={!isScreen} fit={isScreen ? "contain" : "cover"} />
      <Text paddingX={8} paddingY={2} size={12} line={20} className={styles.ownTag} aria-hidden="true">
        {t(isScreen ? "call.ownScreen" : "call.me")}
      </Text>
    </button>
  );
}

function nearestCorner(
  element: HTMLElement,
  moved: { readonly x: number; readonly y: number },
  stage: Element,
): Corner {
  const isRight = element.offsetLeft + moved.x + element.offsetWidth / 2 > stage.clientWidth / 2;
  const isBottom = element.offsetTop + moved.y + element.offsetHeight / 2 > stage.clientHeight / 2;
  const isEnd = isRight === (getComputedStyle(element).direction === "ltr");
  return `${isBottom ? "bottom" : "top"}${isEnd ? "End" : "Start"}`;
}

/** How long the controls of a picture stay after the last movement. */
const HIDE_MS = 3_000;
/** What the person uses at the moment: a button that was reached with the keyboard, or an open menu. */
const IN_USE = ':is(button, a):focus-visible, [aria-expanded="true"]';

/** Whether the controls over a picture hide, because nobody has moved there for a while. Never while one of them has the focus. */
function useHidingControls(stage: RefObject<HTMLElement | null>, isAllowed: boolean): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const element = stage.current;
    if (element === null || !isAllowed) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (element.querySelector(IN_USE) === null ? setHidden(true) : wait()), HIDE_MS);
    };
    const wake = () => {
      clearTimeout(timer);
      setHidden(false);
      wait();
    };
    const EVENTS = ["pointermove", "pointerdown", "keydown", "focusin"];
    for (const event of EVENTS) element.addEventListener(event, wake);
    wait();
    return () => {
      clearTimeout(timer);
      setHidden(false);
      for (const event of EVENTS) element.removeEventListener(event, wake);
    };
  }, [stage, isAllowed]);
  return isHidden && isAllowed;
}
