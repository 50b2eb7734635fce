import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "@parley/core/runtime/client";
import "../ui/base.css";
import { currentLocale, startLanguage } from "../kit/i18n.ts";
import { keepPreferencesIn } from "../kit/preferences.ts";
import { applyTheme } from "../kit/theme.ts";
import { browserPorts } from "../platform/ports.ts";
import { App } from "./app.tsx";
import { loadChunk } from "./load-chunk.ts";
import { startNotices } from "./notices.ts";
import { preloadScreen } from "./routes.tsx";
import { watchKeyboard } from "./watch-keyboard.ts";

const ports = browserPorts(__APP_VERSION__, currentLocale);
keepPreferencesIn(ports.storage.local);
watchKeyboard();
preloadScreen(location.pathname);

// Without its words no screen makes sense; a chunk that cannot be loaded reloads the page once.
await loadChunk(() => startLanguage(navigator.language));
applyTheme();

const client = createClient(ports);
startNotices(client);
addEventListener("pagehide", (event) => {
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
