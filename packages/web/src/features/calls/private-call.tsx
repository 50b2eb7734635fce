import { useRef } from "react";
import { MicOff } from "lucide-react";
import type { PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { usePerson } from "../../kit/person.ts";
import type { Person } from "../../kit/person.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { CallBanners } from "./call-banners.tsx";
import { CallControls, WindowButtons } from "./call-controls.tsx";
import { CallStatus, hasPictures } from "./call-status.tsx";
import { CallVideo } from "./call-stream.tsx";
import { OwnPicture } from "./own-picture.tsx";
import { useHidingControls } from "./use-hiding-controls.ts";
import styles from "./private-call.module.css";

/** The content of a call between two people. */
export function PrivateCall({ call }: { readonly call: PrivateCallView }) {
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
    <div className={styles.voice}>
      <div className={styles.corner}>
        <WindowButtons hasFullScreen={false} />
      </div>
      <Face call={call} person={person} />
      <p className={styles.name}>
        <bdi>{person.name}</bdi>
      </p>
      <p className={styles.status}>
        <CallStatus call={call} />
      </p>
      <PeerMuted call={call} person={person} />
      <div className={styles.voiceEnd}>
        <CallBanners call={call} />
        <CallControls call={call} isLabelled hasScreen={false} />
      </div>
    </div>
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
        <div className={styles.centre}>
          <Face call={call} person={person} />
          {call.stage !== "talking" && (
            <p className={styles.name}>
              <bdi>{person.name}</bdi>
            </p>
          )}
        </div>
      )}
      {isFrozen && <span className={styles.shade} />}
      {/* Read again with each new picture: `pictureVersion` is part of the call. */}
      {hasOwnPicture && <OwnPicture stream={calls.localStream()} isScreen={local.screen === "on"} />}
      <header className={classNames(styles.top, styles.hiding)}>
        <span className={styles.topName}>
          <bdi>{person.name}</bdi>
        </span>
        <span className={styles.dot} aria-hidden="true">
          ·
        </span>
        <span className={styles.topStatus}>
          <CallStatus call={call} />
        </span>
        <PeerMuted call={call} person={person} />
        <span className={styles.space} />
        <WindowButtons hasPicture={isRemoteShown} />
      </header>
      <div className={styles.banners}>
        <CallBanners call={call} />
      </div>
      <div className={classNames(styles.pill, styles.hiding)}>
        <CallControls call={call} />
      </div>
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
      <span className={styles.mutedText}>{t("call.peerMuted", { name: person.name })}</span>
    </span>
  );
}
