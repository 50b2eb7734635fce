import { useEffect, useId, useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";
import { MessageSquare, Phone, Video } from "lucide-react";
import { FocusScope } from "radix-ui/internal";
import type { Call, GroupCallView, PrivateCallView } from "@parley/core/model/calls/call";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { ChatType } from "@parley/protocol/codes";
import { chatPath } from "../../kit/chats/show-message.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useGroup, useMember } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { usePerson, type Person } from "../../kit/people/person.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { focusAgain, usePreviousFocus } from "../../ui/dialog.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Box, Row, Text } from "../../ui/layout.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import styles from "./incoming-call.module.css";

const FIELDS = 'input, textarea, [contenteditable="true"]';

/**
 * A call that rings here: who calls, and buttons to answer it, to decline it, and to see the chat. It stands above open dialogs, and on a phone it takes the whole window: in the body, because
 * they hide everything else from screen readers, and as a focus scope of its own, because they keep the focus from everything else. A dialog
 * that is opened while it rings has the focus for itself.
 */
export function IncomingCall({ call }: { readonly call: Call }) {
  const t = useText();
  const { calls } = useClient();
  const nameId = useId();
  const kindId = useId();
  const prompt = useRef<HTMLDivElement>(null);
  const isMobile = useIsMobile();
  useToastsBelow(prompt, !isMobile);
  const isVideo = call.kind === "private" && call.mode === "video";
  const AcceptIcon = isVideo ? Video : Phone;
  const key =
    call.kind === "private" ? chatKey(ChatType.PRIVATE, call.userId) : chatKey(ChatType.GROUP, call.groupId);
  const previousFocus = usePreviousFocus(true);
  // In the order in which they are seen, so that the Tab key follows it.
  const others = (
    <Row gap={8} align="stretch" justify="center" marginTop={12} className={styles.others}>
      {isVideo && isMobile && (
        <OtherAnswer icon={<Phone {...ICON_PROPS} />} onPress={() => calls.accept(false)}>
          {t("call.acceptVoice")}
        </OtherAnswer>
      )}
      <OtherAnswer icon={<MessageSquare {...ICON_PROPS} />} onPress={() => goDown(chatPath(key))}>
        {t("call.openChat")}
      </OtherAnswer>
      {isVideo && !isMobile && (
        <OtherAnswer icon={<Phone {...ICON_PROPS} />} onPress={() => calls.accept(false)}>
          {t("call.acceptVoice")}
        </OtherAnswer>
      )}
    </Row>
  );
  return createPortal(
    <FocusScope.FocusScope
      ref={prompt}
      className={styles.prompt}
      role="alertdialog"
      aria-labelledby={nameId}
      aria-describedby={kindId}
      // A dialog that opens while it rings does not hide it from screen readers.
      aria-live="off"
      data-over-dialogs
      // It covers the whole window of a phone, so nothing else there may have the focus.
      loop={isMobile}
      trapped={isMobile}
      onMountAutoFocus={(event) => {
        event.preventDefault();
        // Not one of its buttons, so that a key that was meant for something else does nothing. Somebody who writes goes on writing, unless the field is
        // covered.
        if (isMobile || document.activeElement?.matches(FIELDS) !== true)
          prompt.current?.focus({ preventScroll: true });
      }}
      onUnmountAutoFocus={(event) => {
        event.preventDefault();
        if (document.activeElement === document.body) focusAgain(previousFocus.current);
      }}
    >
      {call.kind === "private" ? (
        <PrivateCaller call={call} nameId={nameId} kindId={kindId} />
      ) : (
        <GroupCaller call={call} nameId={nameId} kindId={kindId} />
      )}
      {isMobile && others}
      <div className={styles.answers}>
        <button type="button" className={styles.decline} onClick={() => calls.end()}>
          <span className={styles.face}>
            <Phone {...ICON_PROPS} className={styles.hangUp} />
          </span>
          {t("call.reject")}
        </button>
        <button type="button" className={styles.accept} onClick={() => calls.accept(isVideo)}>
          <span className={styles.face}>
            <AcceptIcon {...ICON_PROPS} />
          </span>
          {t("call.accept")}
        </button>
      </div>
      {!isMobile && others}
    </FocusScope.FocusScope>,
    document.body,
  );
}

interface OtherAnswerProps {
  readonly icon: ReactNode;
  readonly onPress: () => void;
  readonly children: string;
}

/** What else can be done: on a phone a round button with its name below, elsewhere the name alone. */
function OtherAnswer({ icon, onPress, children }: OtherAnswerProps) {
  const isMobile = useIsMobile();
  if (!isMobile)
    return (
      <Button variant="ghost" size="small" onClick={onPress}>
        {children}
      </Button>
    );
  return (
    <button type="button" className={styles.other} onClick={onPress}>
      <span className={styles.face}>{icon}</span>
      {children}
    </button>
  );
}

/** Keeps toasts below the prompt, where the window is too narrow for both: they would cover who calls. */
function useToastsBelow(prompt: RefObject<HTMLElement | null>, isNeeded: boolean): void {
  useEffect(() => {
    const element = prompt.current;
    if (element === null || !isNeeded) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty("--below-call", `${element.offsetTop + element.offsetHeight + 8}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--below-call");
    };
  }, [prompt, isNeeded]);
}

interface CallerProps<View extends Call> {
  readonly call: View;
  readonly nameId: string;
  readonly kindId: string;
}

function PrivateCaller({ call, nameId, kindId }: CallerProps<PrivateCallView>) {
  const t = useText();
  const { name, picture } = usePerson(call.userId);
  const isVideo = call.mode === "video";
  const Icon = isVideo ? Video : Phone;
  return (
    <Row gap={16} className={styles.caller}>
      <Avatar name={name} url={picture} id={call.userId} size={useIsMobile() ? 120 : 72} />
      <Box shrink className={styles.words}>
        <Text as="p" id={nameId} truncate size={16} weight="title" className={styles.name}>
          <bdi>{name}</bdi>
        </Text>
        <Row as="p" id={kindId} gap={4} align="start" size={14} tone="secondary" className={styles.kind}>
          <Icon {...ICON_PROPS_16} />
          {t(isVideo ? "call.invitesVideo" : "call.invitesVoice")}
        </Row>
      </Box>
    </Row>
  );
}

function GroupCaller({ call, nameId, kindId }: CallerProps<GroupCallView>) {
  const t = useText();
  const group = useGroup(call.groupId);
  const host = useHost(call);
  // Everybody else, and I.
  const count = call.people.length + 1;
  return (
    <Row gap={16} className={styles.caller}>
      <Avatar
        name={group.name}
        url={group.picture}
        id={call.groupId}
        size={useIsMobile() ? 120 : 72}
        shape="rounded"
      />
      <Box shrink className={styles.words}>
        <Text as="p" id={nameId} truncate size={16} weight="title" className={styles.name}>
          <bdi>{group.name}</bdi>
        </Text>
        <Row as="p" id={kindId} gap={4} align="start" size={14} tone="secondary" className={styles.kind}>
          <Phone {...ICON_PROPS_16} />
          {call.hostId === null
            ? t("call.invitesGroup", { count })
            : t("call.hostInvites", { name: host.name, count })}
        </Row>
      </Box>
    </Row>
  );
}

/** The person who started the call of a group; named as in the call if nothing else is known. */
export function useHost({ groupId, hostId, people }: GroupCallView): Person {
  const host = people.find(({ userId }) => userId === hostId);
  return useMember(groupId, hostId ?? 0, host?.nickName ?? null);
}
