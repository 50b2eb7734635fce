/**
 * The service worker: keeps the program and recent pictures on the device, so that it opens without a network. It never answers for the
 * API, the socket or an upload. `docs/spec/pwa.md` has its rules.
 */
import { serveEmoticons } from "./emoticons.ts";
import { activateWhenAsked, leaveApiCallsAlone } from "./lifecycle.ts";
import { servePictures } from "./pictures.ts";
import { receivePushes } from "./push.ts";
import { takeShares } from "./share-target.ts";
import { serveShell } from "./shell.ts";

leaveApiCallsAlone();
serveShell();
serveEmoticons();
servePictures();
takeShares();
receivePushes();
activateWhenAsked();
