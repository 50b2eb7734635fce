import type { ReactNode } from "react";
import { Mic, MicOff, Pin } from "lucide-react";
import type { GroupCallPersonView, LocalDevices, RemoteMedia } from "@parley/core/model/calls/call";
import type { StreamData } from "@parley/core/call-ports";
import { useMember } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import type { Translate } from "../../kit/i18n/i18n.ts";
import type { Person } from "../../kit/people/person.ts";
import { myIdOf } from "../../kit/people/person.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS_14, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Row, Text } from "../../ui/layout.tsx";
import { isInUse } from "./call-controls.tsx";
import { CallVideo } from "./call-stream.tsx";
import styles from "./group-call-tile.module.css";

interface TilePlace {
  readonly groupId: number;
  /** It is large, and the others are small. */
  readonly isPinned: boolean;
  /** Null: it is the only one. */
  readonly onPin: (() => void) | null;
}

/** My own picture in the call of a group. */
export function OwnTile({ local, ...place }: TilePlace & { readonly local: LocalDevices }) {
  const t = useText();
  const client = useClient();
  const me = useMember(place.groupId, useClientState(myIdOf), null);
  const isSharing = local.screen === "on";
  const isShown = isSharing || local.camera.kind === "on";
  return (
    <Tile
      {...place}
      person={{ ...me, name: t("chat.me") }}
      avatarName={me.name}
      picture={
        isShown ? { stream: client.calls.localStream(), isMirrored: !isSharing, isScreen: isSharing } : null
      }
      isMicrophoneOn={isInUse(local.microphone)}
      isSpeaking={local.isSpeaking && local.microphone.kind === "on"}
      isIn
      quality={null}
      status={null}
    />
  );
}

/** Somebody else in the call of a group, or for whom it still rings. */
export function PersonTile({ member, ...place }: TilePlace & { readonly member: GroupCallPersonView }) {
  const t = useText();
  const client = useClient();
  const known = useMember(place.groupId, member.userId, member.nickName);
  const url = known.picture ?? (member.headImage ? client.fileUrl(member.headImage) : null);
  const isShown = canShowPicture(member) && (member.isCamera || member.isShareScreen);
  return (
    <Tile
      {...place}
      person={{ ...known, picture: url }}
      avatarName={known.name}
      picture={
        isShown
          ? {
              stream: client.calls.remoteStream(member.userId),
              isMirrored: false,
              isScreen: member.isShareScreen,
            }
          : null
      }
      isMicrophoneOn={member.isMicroPhone}
      isSpeaking={member.isSpeaking && member.isMicroPhone}
      isIn={member.isIn}
      quality={member.connection === "connected" ? member.quality : null}
      status={statusText(member, t)}
    />
  );
}

/** While a connection is lost its last picture stays. */
function canShowPicture({ isIn, connection }: GroupCallPersonView): boolean {
  return isIn && (connection === "connected" || connection === "reconnecting");
}

function statusText({ isIn, connection }: GroupCallPersonView, t: Translate): string | null {
  if (!isIn) return t("groupCall.waiting");
  switch (connection) {
    case "none":
    case "connecting":
      return t("call.connecting");
    case "reconnecting":
      return t("call.reconnecting");
    case "failed":
      return t("groupCall.notConnected");
    case "connected":
      return null;
  }
}

interface TilePicture {
  readonly stream: StreamData | null;
  readonly isMirrored: boolean;
  /** Nothing of a screen may be cut. */
  readonly isScreen: boolean;
}

interface TileProps extends TilePlace {
  readonly person: Pick<Person, "id" | "name" | "picture">;
  /** The name of which the avatar shows the initials. */
  readonly avatarName: string;
  readonly picture: TilePicture | null;
  readonly isMicrophoneOn: boolean;
  readonly isSpeaking: boolean;
  readonly isIn: boolean;
  readonly quality: RemoteMedia["quality"];
  /** What it waits for. */
  readonly status: string | null;
}

function Tile(props: TileProps) {
  const { person, avatarName, picture, isMicrophoneOn, isSpeaking, isIn, quality, status } = props;
  const { isPinned, onPin } = props;
  const t = useText();
  return (
    <li
      className={classNames(styles.tile, isSpeaking && styles.speaking, isPinned && styles.pinned)}
      data-person={person.id}
      data-speaking={isSpeaking}
    >
      {picture !== null && (
        <CallVideo
          stream={picture.stream}
          isMirrored={picture.isMirrored}
          fit={isPinned || picture.isScreen ? "contain" : "cover"}
        />
      )}
      {(picture === null || status !== null) && (
        <span className={classNames(styles.middle, picture !== null && styles.shade)}>
          {picture === null && (
            <span className={styles.avatar}>
              <Avatar name={avatarName} url={person.picture} id={person.id} size={72} />
            </span>
          )}
          {status !== null && <span className={styles.status}>{status}</span>}
        </span>
      )}
      <Row as="span" gap={4} paddingX={8} size={12} line={16} tone="stage" className={styles.tag}>
        {isIn && <MicrophoneSign isOn={isMicrophoneOn} />}
        <Text as="bdi" truncate>
          {person.name}
        </Text>
        {quality !== null && <QualitySign quality={quality} />}
      </Row>
      {onPin !== null && (
        <button
          type="button"
          className={styles.pin}
          aria-label={t("groupCall.enlarge", { name: person.name })}
          aria-pressed={isPinned}
          data-tip={t("groupCall.enlarge", { name: person.name })}
          onClick={onPin}
        >
          <Pin {...ICON_PROPS_16} />
        </button>
      )}
    </li>
  );
}

function MicrophoneSign({ isOn }: { readonly isOn: boolean }) {
  const t = useText();
  const Icon = isOn ? Mic : MicOff;
  return (
    <Sign
      label={t(isOn ? "groupCall.microphoneOn" : "groupCall.microphoneOff")}
      icon={<Icon {...ICON_PROPS_14} />}
    />
  );
}

/** Three bars, of which as many are lit as the connection is good. */
function QualitySign({ quality }: { readonly quality: NonNullable<RemoteMedia["quality"]> }) {
  const t = useText();
  const bars = (
    <span className={classNames(styles.bars, styles[quality])} data-quality={quality} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>
  );
  return <Sign label={t(`groupCall.quality.${quality}`)} icon={bars} />;
}

/** An icon that says something by itself. */
function Sign({ label, icon }: { readonly label: string; readonly icon: ReactNode }) {
  return (
    <Text shrink={false} className={styles.sign}>
      {icon}
      <span className="visually-hidden">{label}</span>
    </Text>
  );
}
