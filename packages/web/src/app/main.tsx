import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { assembleClient } from "@parley/core/assemble-client";
import { desktopBridge } from "../kit/settings/desktop.ts";
import { currentLocale, startLanguage } from "../kit/i18n/i18n.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { setPreferenceStore } from "../kit/settings/preferences.ts";
import { saveAll } from "../kit/loading/save-before-unload.ts";
import { applyTheme } from "../kit/settings/appearance.ts";
import { browserLog } from "../platform/browser-log.ts";
import { browserPorts } from "../platform/browser-ports.ts";
import { guardedKeyValue } from "../platform/key-value.ts";
import { App } from "./app.tsx";
import { startClientNoticeToasts } from "./client-notice-toasts.ts";
import { loadCalls } from "./load-calls.ts";
import { loadSignedIn, preloadScreen } from "./routes.tsx";
import { startServiceWorker } from "./start-service-worker.ts";
import { watchPreferences } from "./watch-preferences.ts";
import "../ui/base.css";

async function start(): Promise<void> {
  const ports = browserPorts({
    appVersion: __APP_VERSION__,
    language: currentLocale,
    openDatabase: async (name) => (await loadSignedIn()).openLocalDatabase(name),
    desktop: desktopBridge(),
    sound: { play: async (name) => (await loadSignedIn()).playSound(client, name) },
  });
  setPreferenceStore(ports.storage.local);
  watchPreferences();
  watchKeyboard();
  ignoreDroppedFiles();
  // No screen is usable without its texts. If their chunk cannot be loaded, the page is reloaded once.
  const language = loadChunk(() => startLanguage(navigator.language));
  preloadScreen(location.pathname);
  // What follows the login is loaded while the person types, so that it is there when the server has checked the password.
  for (const event of ["input", "submit"])
    document.addEventListener(event, () => preloadScreen("/home"), { capture: true, once: true });
  // The login screen does not need the code for chats, contacts and the socket; it is loaded at sign-in.
  const client = assembleClient(ports, async (deps) => {
    // What it reports may need a text.
    const [{ createSignedInClient }] = await Promise.all([
      loadChunk(loadSignedIn),
      Promise.allSettled([language]),
    ]);
    return createSignedInClient({ ...deps, loadCalls: () => loadCalls(client) });
  });
  startClientNoticeToasts(client);
  // Without waiting for the first paint, after which React runs effects.
  const resumed = client.session.resume();
  await language;
  const bridge = desktopBridge();
  const desktop = bridge && {
    bridge,
    Parts: (await loadChunk(() => import("./desktop-chunk.ts"))).startDesktop(bridge, ports.log),
  };
  applyTheme();
  // The desktop application has the program already.
  if (desktop === null) startServiceWorker(client, ports.log);
  addEventListener("pagehide", (event) => {
    saveAll();
    // A page in the back/forward cache may be resumed, so its client stays open.
    if (!event.persisted) client.close();
  });

  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root");
  createRoot(root).render(
    <StrictMode>
      <App client={client} resumed={resumed} log={ports.log} desktop={desktop} />
    </StrictMode>,
  );
}

// A top-level await would keep the bundler from merging small chunks.
start().catch((error: unknown) => {
  // Without its texts the page can show nothing, so this is only logged (spec §8).
  browserLog(guardedKeyValue(() => localStorage)).error("Initialization failed", { reason: String(error) });
});

/** Sets `html[data-keys]` while the keyboard is used, for components that manage the focus inside and draw their own focus ring. */
function watchKeyboard(): void {
  const root = document.documentElement;
  addEventListener(
    "keydown",
    (event) => {
      if (!event.altKey && !event.ctrlKey && !event.metaKey) root.dataset["keys"] = "";
    },
    { capture: true, passive: true },
  );
  addEventListener("pointerdown", () => delete root.dataset["keys"], { capture: true, passive: true });
}

/** Files that are dropped beside a place for them would replace the page: the browser opens them. Nothing happens instead. */
function ignoreDroppedFiles(): void {
  const ignore = (event: DragEvent) => {
    if (
      event.defaultPrevented ||
      event.dataTransfer === null ||
      !event.dataTransfer.types.includes("Files")
    ) {
      return;
    }
    // A file input takes what is dropped on it.
    if (event.target instanceof HTMLInputElement && event.target.type === "file") return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  window.addEventListener("dragover", ignore);
  window.addEventListener("drop", ignore);
}
