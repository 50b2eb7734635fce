import { useEffect, useRef, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import { currentText } from "../../../kit/i18n/i18n.ts";
import { claimShowRequest, useShowRequest } from "../../../kit/chats/show-message.ts";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { recordInput } from "./use-read-tracking.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";

/** Where the requested message is placed, as a fraction of the view's height. */
const JUMP_POSITION = 0.3;
/** How long the message flashes (interface §6). */
const FLASH_MS = 1_200;

/** Scrolls to messages that are requested in this chat. Returns the id of the message that flashes now. */
export function useJumpToMessage(key: ChatKey, virtualTimeline: VirtualTimeline): number | null {
  const client = useClient();
  const request = useShowRequest();
  const isOpen = useClientState((state) => state.chats.openKey === key);
  const [flash, setFlash] = useState<{ id: number } | null>(null);
  /** Only the latest request may scroll. */
  const latestJump = useRef(0);

  useEffect(() => {
    if (request === null || request.key !== key || !isOpen) return;
    const { to } = request;
    latestJump.current += 1;
    const thisJump = latestJump.current;
    claimShowRequest(request);
    // Only a person asks for a message, if not on this page, then by a click on a notification.
    recordInput();
    if ("id" in to) virtualTimeline.scrollToFirst(hasId(to.id), JUMP_POSITION);
    void client.chats.jumpTo(key, to).then((id) => {
      if (thisJump !== latestJump.current) return;
      virtualTimeline.cancelPendingScroll();
      const t = currentText();
      if (id === null) return toasts.error(t("chat.olderFailed"));
      virtualTimeline.scrollToFirst(hasId(id), JUMP_POSITION);
      // The message was deleted; its neighbour is shown, but does not flash.
      if ("id" in to && to.id !== id) return toasts.info(t("error.message.notFound"));
      setFlash({ id });
    });
  }, [client, key, virtualTimeline, request, isOpen]);
  useEffect(
    () => () => {
      latestJump.current += 1;
      virtualTimeline.cancelPendingScroll();
    },
    [virtualTimeline],
  );

  useEffect(() => {
    if (flash === null) return;
    const timer = window.setTimeout(() => setFlash(null), FLASH_MS);
    return () => window.clearTimeout(timer);
  }, [flash]);
  return flash?.id ?? null;
}

function hasId(id: number): (row: TimelineRow) => boolean {
  return (row) => messagesOf(row).some((message) => message.id === id);
}
