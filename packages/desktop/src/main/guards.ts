/** What pages may not do, whatever runs in them: leave the client, open windows, get permissions, save files unasked. */
import type { App, HandlerDetails, Session, WebContents, WindowOpenHandlerResponse } from "electron";
import type { ElectronParts, Platform } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";
import { isOwnAddress } from "./own-origin.ts";

/** Schemes of links that the system may open. Others start programs. */
const OUTSIDE_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
/** Longer ones are cut by Windows. */
const OUTSIDE_ADDRESS_MAX = 2_000;
/** The scheme of files on the server that the person chose. */
const FILE_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
/** Where files to save come from: that server, and what the client made itself. */
const DOWNLOAD_SCHEMES: ReadonlySet<string> = new Set([...FILE_SCHEMES, "blob:", "app:"]);

/** The texts of the licences, which the client shows in a window of their own. */
const NOTICES = /^app:\/\/parley\/third-party-\w+\.txt$/;

/**
 * What the client may do. Apart from media and notifications:
 * - `display-capture`: a screen in a call. The person chooses which, see `screens.ts`;
 * - `fullscreen`: videos and calls;
 * - `clipboard-sanitized-write`: copying texts and pictures. Reading the clipboard is not needed: pasting works without it;
 * - `speaker-selection`: the loudspeaker of a call;
 * - `screen-wake-lock`: the screen stays on in a call;
 * - `persistent-storage`: local messages are not evicted;
 * - `local-network`, `local-network-access`, `loopback-network`: the server may be in the person's own network or on this device.
 * Not the position: without a key of Google's service the engine cannot find it out, and people choose a place on the map.
 */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set([
  "media",
  "notifications",
  "display-capture",
  "fullscreen",
  "clipboard-sanitized-write",
  "speaker-selection",
  "screen-wake-lock",
  "persistent-storage",
  "local-network",
  "local-network-access",
  "loopback-network",
]);

type Guarded = Pick<WebContents, "downloadURL" | "on" | "setWindowOpenHandler">;

/** Opens links in the programs of the system. */
export type OpenOutside = (address: string) => void;

/** Opens links of schemes that are only read. Others go to the log, without their text: it may be a part of a message. */
export function createOpenOutside(shell: ElectronParts["shell"], log: Log): OpenOutside {
  return (address) => {
    const url = URL.parse(address);
    if (url === null || !OUTSIDE_SCHEMES.has(url.protocol) || url.href.length > OUTSIDE_ADDRESS_MAX) {
      log.error("a link is not opened", undefined, { scheme: url?.protocol ?? "none" });
      return;
    }
    shell
      .openExternal(url.href)
      .catch((error: unknown) => log.error("the system did not open a link", error));
  };
}

/** Guards all pages, also those that come later. Call it before there is a window. */
export function guardPages(app: Pick<App, "on">, openOutside: OpenOutside, log: Log): void {
  app.on("web-contents-created", (_event, contents) => guardPage(contents, openOutside, log));
}

function guardPage(contents: Guarded, openOutside: OpenOutside, log: Log): void {
  contents.on("will-navigate", (event) => {
    if (isOwnAddress(event.url)) return;
    event.preventDefault();
    // The client opens pages in windows of their own, so this is a file to save: a browser ignores `download` at other origins.
    if (FILE_SCHEMES.has(URL.parse(event.url)?.protocol ?? "")) contents.downloadURL(event.url);
    else openOutside(event.url);
  });
  contents.on("will-frame-navigate", (event) => {
    // `will-navigate` decides for the main frame.
    if (event.isMainFrame || isOwnAddress(event.url)) return;
    event.preventDefault();
    log.error("a frame may not leave the client");
  });
  contents.on("will-redirect", (event) => {
    if (isOwnAddress(event.url)) return;
    event.preventDefault();
    log.error("the client may not be redirected");
  });
  contents.on("will-attach-webview", (event) => {
    event.preventDefault();
    log.error("a page may not contain a webview");
  });
  contents.setWindowOpenHandler((details) => answerOpening(details, openOutside));
}

function answerOpening(
  { url }: Pick<HandlerDetails, "url">,
  openOutside: OpenOutside,
): WindowOpenHandlerResponse {
  if (NOTICES.test(url)) {
    // It has no preload script, and the main process answers to the main window only.
    const webPreferences = { sandbox: true, contextIsolation: true, nodeIntegration: false };
    return {
      action: "allow",
      overrideBrowserWindowOptions: { autoHideMenuBar: true, frame: true, webPreferences },
    };
  }
  openOutside(url);
  return { action: "deny" };
}

type GuardedSession = Pick<Session, "on" | "setPermissionCheckHandler" | "setPermissionRequestHandler">;

/** Permissions and downloads of all pages. */
export function guardSession(
  session: GuardedSession,
  {
    platform,
    systemPreferences,
    log,
  }: Pick<ElectronParts, "systemPreferences"> & { platform: Platform; log: Log },
): void {
  session.setPermissionCheckHandler(
    (_contents, permission, origin, details) =>
      ALLOWED_PERMISSIONS.has(permission) && details.isMainFrame && isOwnAddress(origin),
  );
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    if (
      !ALLOWED_PERMISSIONS.has(permission) ||
      !details.isMainFrame ||
      !isOwnAddress(details.requestingUrl)
    ) {
      log.info("a permission is refused", { permission });
      callback(false);
      return;
    }
    const media = permission === "media" && "mediaTypes" in details ? (details.mediaTypes ?? []) : [];
    if (platform !== "darwin" || media.length === 0) callback(true);
    else {
      // The system asks once for each device, and refuses later without a question.
      void Promise.all(
        media.map((type) => systemPreferences.askForMediaAccess(type === "video" ? "camera" : "microphone")),
      ).then(
        (answers) => callback(answers.every(Boolean)),
        (error: unknown) => {
          log.error("the system did not say whether the device may be used", error);
          callback(false);
        },
      );
    }
  });
  // Without a path, Electron asks the person where to save.
  session.on("will-download", (event, item) => {
    if (DOWNLOAD_SCHEMES.has(URL.parse(item.getURL())?.protocol ?? "")) return;
    event.preventDefault();
    log.error("a download is refused");
  });
}
