import { useState } from "react";
import type { CSSProperties } from "react";
import { UserPlus } from "lucide-react";
import type { GroupCallView } from "@parley/core/model/calls/call";
import { useGroup } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { myIdOf } from "../../kit/people/person.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { SurfaceDialog } from "../../ui/surface-dialog.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { CallBanners } from "./call-banners.tsx";
import { CallControls, RoundButton, WindowButtons } from "./call-controls.tsx";
import { CallStatus } from "./call-status.tsx";
import { minimiseCall, useCallWindow } from "./call-window.ts";
import { OwnTile, PersonTile } from "./group-call-tile.tsx";
import styles from "./group-call.module.css";

/** The call of a group, over the page. Esc makes it small. */
export function GroupCallDialog({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const { name } = useGroup(call.groupId);
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <SurfaceDialog
      title={t("call.title.group", { name })}
      width="50rem"
      isFull={isFullScreen}
      onEscape={minimiseCall}
    >
      <GroupCall call={call} />
    </SurfaceDialog>
  );
}

/** The content of the call of a group: a tile for everybody, and the controls. */
function GroupCall({ call }: { readonly call: GroupCallView }) {
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  return (
    <Stack className={classNames(styles.layout, isFullScreen && styles.full)}>
      <Header call={call} />
      <Tiles call={call} />
      <Box shrink={false} className={styles.controls}>
        <CallBanners call={call} />
        <CallControls call={call}>{call.stage !== "opening" && <InviteButton call={call} />}</CallControls>
      </Box>
    </Stack>
  );
}

function Header({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const { name } = useGroup(call.groupId);
  const { people } = call;
  const waiting = people.filter((person) => !person.isIn).length;
  const count = people.length - waiting + 1;
  return (
    <Row as="header" gap={8} shrink={false} className={styles.header}>
      <Row gap={8} align="stretch" grow className={styles.title}>
        <Text as="bdi" truncate weight="title" className={styles.name}>
          {name}
        </Text>
        <Row as="span" gap={8} align="stretch" shrink={false} tone="stageSoft" className={styles.detail}>
          <Text tone="stage">
            <CallStatus call={call} />
          </Text>
          <span aria-hidden="true">·</span>
          <output>
            {waiting === 0
              ? t("groupCall.inCall", { count })
              : t("groupCall.inCallAndWaiting", { count, waiting })}
          </output>
        </Row>
      </Row>
      <WindowButtons />
    </Row>
  );
}

/** Everybody in the call: me, and the others in the order in which they came. One of them can be made large. */
function Tiles({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const isMobile = useIsMobile();
  const me = useClientState(myIdOf);
  const [pinned, setPinned] = useState<number | null>(null);
  const { groupId, local, people } = call;
  const hasPinned = pinned === me || people.some(({ userId }) => userId === pinned);
  const count = people.length + 1;
  const place = (userId: number) => ({
    groupId,
    isPinned: userId === pinned,
    onPin: count === 1 ? null : () => setPinned(userId === pinned ? null : userId),
  });
  const columns = isMobile ? (count <= 2 ? 1 : 2) : Math.ceil(Math.sqrt(count));
  return (
    <Box grow scroll className={classNames(styles.tiles, hasPinned && styles.spotlight)} data-count={count}>
      <ul
        className={styles.list}
        aria-label={t("groupCall.people")}
        style={{ "--columns": columns, "--rows": Math.ceil(count / columns) } as CSSProperties}
      >
        <OwnTile {...place(me)} local={local} />
        {people.map((person) => (
          <PersonTile key={person.userId} {...place(person.userId)} member={person} />
        ))}
      </ul>
    </Box>
  );
}

/** Calls more members. A call has at most `webrtc.maxChannel` people. */
function InviteButton({ call }: { readonly call: GroupCallView }) {
  const t = useText();
  const { groupId, people } = call;
  const isFull = useClientState(
    (state) => people.length + 1 >= (state.config?.webrtc.maxChannel ?? Infinity),
  );
  return (
    <RoundButton
      label={t(isFull ? "groupCall.isFull" : "groupCall.invite")}
      aria-disabled={isFull || undefined}
      aria-haspopup="dialog"
      onClick={isFull ? undefined : () => openDialog({ kind: "callMembers", groupId, how: "invite" })}
    >
      <UserPlus {...ICON_PROPS_24} />
    </RoundButton>
  );
}
