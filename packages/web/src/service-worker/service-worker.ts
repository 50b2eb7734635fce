/**
 * The service worker: keeps the program on the device, so that it opens without a network. It never answers for the API, the socket or an
 * upload.
 */
import { activateWhenAsked } from "./activation.ts";
import { serveEmoticons } from "./emoticons.ts";
import { serveShell } from "./shell.ts";

serveShell();
serveEmoticons();
activateWhenAsked();
