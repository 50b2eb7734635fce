import { memo, useEffect } from "react";
import type { Client } from "@parley/core/client-api";
import type { Call } from "@parley/core/model/calls/call";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { ChatType } from "@parley/protocol/codes";
import { CallLayer } from "../features/calls/call-layer.tsx";
import { chatNameOf } from "../kit/chats/chat-name.ts";
import { type Translate, useText } from "../kit/i18n/i18n.ts";
import { notificationPermission } from "../kit/settings/notification-permission.ts";
import { myIdOf, smallPictureUrl } from "../kit/people/person.ts";
import { useClient } from "../kit/loading/use-client.ts";
import { readUserSetting } from "../kit/settings/user-settings.ts";
import { type ShownNotification, showSystemNotification } from "../platform/system-notification.ts";
import { windowTitle } from "./window-title.tsx";

/** The call of this page, and its signs outside of the page. */
export const CallScreen = memo(function CallScreen({ call }: { readonly call: Call }) {
  useCallNotification(call);
  return <CallLayer call={call} />;
});

/**
 * Says outside of the page that it rings, until that ends: in the title of the window, and as a notification of the system while nobody looks
 * at the page. A click on it shows the page; its buttons, where it has some, answer the call.
 */
function useCallNotification(call: Call): void {
  const t = useText();
  const client = useClient();
  const isRinging = call.stage === "ringing";
  const targetId = call.kind === "private" ? call.userId : call.groupId;
  const { kind } = call;
  const isVideo = call.kind === "private" && call.mode === "video";
  useEffect(
    () => (isRinging ? announce(client, { kind, targetId, isVideo }, t) : undefined),
    [client, isRinging, kind, targetId, isVideo, t],
  );
}

/** A call that rings here. */
interface RingingCall {
  readonly kind: Call["kind"];
  /** The caller, or the group. */
  readonly targetId: number;
  readonly isVideo: boolean;
}

/** Returns a function that takes everything back. */
function announce(client: Client, call: RingingCall, t: Translate): () => void {
  let shown: ShownNotification | null = null;
  const update = () => {
    const isSeen = document.visibilityState === "visible" && document.hasFocus();
    if (isSeen) {
      shown?.close();
      shown = null;
    } else shown ??= notify(client, call, t);
  };
  const EVENTS = ["focus", "blur"] as const;
  for (const event of EVENTS) addEventListener(event, update);
  document.addEventListener("visibilitychange", update);
  addEventListener("pagehide", close);
  const giveTitleBack = replaceTitle(client, t("call.ringsFrom", { name: callerName(client, call, t) }), t);
  update();

  function close(): void {
    shown?.close();
    shown = null;
  }
  return () => {
    close();
    giveTitleBack();
    for (const event of EVENTS) removeEventListener(event, update);
    document.removeEventListener("visibilitychange", update);
    removeEventListener("pagehide", close);
  };
}

/** Shows a title in place of the usual one, also when that changes. Returns a function that shows the usual one again. */
function replaceTitle(client: Client, title: string, t: Translate): () => void {
  const show = () => {
    if (document.title !== title) document.title = title;
  };
  const observer = new MutationObserver(show);
  observer.observe(document.head, { subtree: true, childList: true, characterData: true });
  show();
  return () => {
    observer.disconnect();
    document.title = windowTitle(client.getState(), t("app.name"));
  };
}

function notify(client: Client, call: RingingCall, t: Translate): ShownNotification | null {
  const { kind, targetId, isVideo } = call;
  const state = client.getState();
  if (readUserSetting(state.session, "notifications") === "off" || notificationPermission() !== "granted")
    return null;
  const isPrivate = readUserSetting(state.session, "notificationContent") === "off";
  const { contacts, groups } = state;
  const owner =
    kind === "private" ? (contacts.friends[targetId] ?? contacts.users[targetId]) : groups.byId[targetId];
  const key = keyOf(call);
  const content = {
    title: t("app.name"),
    body: isPrivate ? t("call.rings") : t("call.ringsFrom", { name: callerName(client, call, t) }),
    icon: (isPrivate ? null : smallPictureUrl(client, owner)) ?? "/favicon.svg",
    // It is about no message: the chat itself.
    about: { userId: myIdOf(state), chat: key, newest: 0, count: 0 },
    isLasting: true,
    // What the buttons of the prompt do.
    actions: {
      accept: { label: t("call.accept"), run: () => client.calls.accept(isVideo) },
      reject: { label: t("call.reject"), run: () => client.calls.end() },
    },
  };
  // A click brings the window to the front, where the prompt is.
  return showSystemNotification(`call:${key}`, content, () => undefined);
}

function callerName(client: Client, call: RingingCall, t: Translate): string {
  return chatNameOf(keyOf(call), client.getState(), t);
}

function keyOf({ kind, targetId }: RingingCall) {
  return chatKey(kind === "private" ? ChatType.PRIVATE : ChatType.GROUP, targetId);
}
