import { useEffect, useRef, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/timeline";
import { currentText } from "../../../kit/i18n.ts";
import { takeShowRequest, useShowRequest } from "../../../kit/show-message.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import type { Stage } from "./stage.ts";

/** Where a message that was asked for is placed, as a part of the height. */
const FOUND_AT = 0.3;
/** How long it keeps its colour (interface §6). */
const FLASH_MS = 1_200;

/** Shows the messages that somebody wants to see in this chat; answers the id of the one that flashes. */
export function useJump(key: ChatKey, stage: Stage): number | null {
  const client = useClient();
  const request = useShowRequest();
  const isOpen = useClientState((state) => state.chats.openKey === key);
  const [flash, setFlash] = useState<{ id: number } | null>(null);
  /** Only the wish that came last moves anything. */
  const turn = useRef(0);

  useEffect(() => {
    if (request === null || request.key !== key || !isOpen) return;
    const { to } = request;
    turn.current += 1;
    const mine = turn.current;
    takeShowRequest(request);
    if ("id" in to) stage.seek(hasId(to.id), FOUND_AT);
    void client.chats.jumpTo(key, to).then((id) => {
      if (mine !== turn.current) return;
      stage.giveUp();
      const t = currentText();
      if (id === null) return toasts.error(t("chat.olderFailed"));
      stage.seek(hasId(id), FOUND_AT);
      // Deleted meanwhile: what stands beside its place is not what somebody wanted.
      if ("id" in to && to.id !== id) return toasts.info(t("error.message.notFound"));
      setFlash({ id });
    });
  }, [client, key, stage, request, isOpen]);
  useEffect(
    () => () => {
      turn.current += 1;
      stage.giveUp();
    },
    [stage],
  );

  useEffect(() => {
    if (flash === null) return;
    const timer = window.setTimeout(() => setFlash(null), FLASH_MS);
    return () => window.clearTimeout(timer);
  }, [flash]);
  return flash?.id ?? null;
}

function hasId(id: number): (row: TimelineRow) => boolean {
  return (row) => (row.kind === "message" || row.kind === "tip") && row.message.id === id;
}
