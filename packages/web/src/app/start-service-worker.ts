import type { Client } from "@parley/core/client-api";
import type { Chat, ChatMessage, State } from "@parley/core/model/state";
import type { Log } from "@parley/core/ports";
import { MessageStatus } from "@parley/protocol/codes";
import { filesOf } from "@parley/protocol/message";
import { tellServiceWorker } from "../platform/service-worker.ts";

/** By then the first chat is usable, and the modules of `use-offline-prefetch.ts` are loaded, so that nothing is loaded twice. */
const AFTER_MS = 10_000;

/**
 * Installs the service worker some seconds after the client is online for the first time, because it loads the whole program (W1), and tells
 * it what happens in this page. When a new version has taken over, the page is reloaded (W5). The development server has none.
 */
export function startServiceWorker(client: Client, log: Log): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  reloadAfterUpdate(client);
  let isStarted = false;
  let before = client.getState();
  client.subscribe(() => {
    const now = client.getState();
    const urls = recalledFiles(before.chats, now.chats);
    if (urls.length > 0) void tellServiceWorker({ kind: "filesRecalled", urls }, log);
    if (isSignedIn(before) && !isSignedIn(now)) void tellServiceWorker({ kind: "signedOut" }, log);
    if (before.connection.kind !== "online" && now.connection.kind === "online") {
      void tellServiceWorker({ kind: "checkPictures" }, log);
      if (!isStarted) setTimeout(() => void install(client, log), AFTER_MS);
      isStarted = true;
    }
    before = now;
  });
}

function reloadAfterUpdate(client: Client): void {
  const { serviceWorker } = navigator;
  // The first worker takes over a page that was loaded without one. That is no new version.
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // Drafts are saved by the reload, as by every other one.
    if (isControlled) void afterUploads(client).then(() => location.reload());
    isControlled = true;
  });
}

function isSignedIn({ session }: State): boolean {
  return session.kind !== "anonymous";
}

async function install(client: Client, log: Log): Promise<void> {
  try {
    const { installServiceWorker } = await import("./install-service-worker.ts");
    await installServiceWorker(client, log);
  } catch (error) {
    // The next start tries again.
    log.warn("the service worker could not be installed", { error });
  }
}

/** The urls of the files of messages that have been recalled between these states, as far as the messages were in memory. */
export function recalledFiles(before: State["chats"], now: State["chats"]): string[] {
  if (before.byKey === now.byKey) return [];
  return Object.values(now.byKey).flatMap((chat) => {
    const old = before.byKey[chat.key];
    // A recall is one of the events of its chat.
    return old === undefined || old.sync.events === chat.sync.events ? [] : filesRecalledIn(old, chat);
  });
}

function filesRecalledIn(old: Chat, chat: Chat): string[] {
  const isRecalled = ({ status }: ChatMessage) => status === MessageStatus.RECALL;
  const recalled = new Set(chat.window.messages.filter(isRecalled).map(({ id }) => id));
  return old.window.messages
    .filter((message) => !isRecalled(message) && recalled.has(message.id))
    .flatMap(({ type, content }) => filesOf(type, content));
}

/** Resolves when no file of this page is being uploaded: its bytes are only in the memory of the page. */
export function afterUploads(client: Client): Promise<void> {
  const isUploading = () => Object.keys(client.getState().uploads).length > 0;
  if (!isUploading()) return Promise.resolve();
  return new Promise((resolve) => {
    const stopWaiting = client.subscribe(() => {
      if (isUploading()) return;
      stopWaiting();
      resolve();
    });
  });
}
