import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { assembleClient } from "@parley/core/assemble-client";
import "../ui/base.css";
import { currentLocale, startLanguage } from "../kit/i18n.ts";
import { saveAll } from "../kit/save-before-unload.ts";
import { setPreferenceStore } from "../kit/preferences.ts";
import { applyTheme } from "../kit/theme.ts";
import { browserPorts } from "../platform/browser-ports.ts";
import { App } from "./app.tsx";
import { loadChunk } from "../kit/load-chunk.ts";
import { startClientNoticeToasts } from "./client-notice-toasts.ts";
import { loadSignedIn, preloadScreen } from "./routes.tsx";
import { watchKeyboard } from "./watch-keyboard.ts";

const ports = browserPorts({
  appVersion: __APP_VERSION__,
  language: currentLocale,
  openDatabase: async (name) => (await loadSignedIn()).openLocalDatabase(name),
  sound: { play: async (name) => (await loadSignedIn()).playSound(client, name) },
});
setPreferenceStore(ports.storage.local);
watchKeyboard();
// Without its words no screen makes sense; a chunk that cannot be loaded reloads the page once.
const language = loadChunk(() => startLanguage(navigator.language));
preloadScreen(location.pathname);
await language;
applyTheme();

// Signing in brings the code for chats, people and the socket; the login screen does without.
const client = assembleClient(ports, {
  load: async () => (await loadChunk(loadSignedIn)).createSessionScope,
});
startClientNoticeToasts(client);
addEventListener("pagehide", (event) => {
  saveAll();
  // A page kept for "back" comes alive again.
  if (!event.persisted) client.close();
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App client={client} log={ports.log} />
  </StrictMode>,
);
