import { registerRoute } from "workbox-routing/registerRoute";
import { dropSharedContent, storeSharedContent } from "../platform/shared-content.ts";
import { isWorkerMessage } from "../platform/worker-messages.ts";
import { finishWithEvent } from "./saved-answer.ts";

declare const self: ServiceWorkerGlobalScope;

/** Where other apps send what they share, see `manifest.webmanifest`. */
const ACTION = "/share";

/**
 * Takes what another app shares and opens the program, which asks for a chat. The server never gets the form. Any page could send one;
 * nothing is sent on before the person has chosen a chat and pressed "send".
 */
export function takeShares(): void {
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname === ACTION,
    async ({ request }) => {
      await storeSharedContent(await request.formData(), Date.now());
      return Response.redirect("/home/chat", 303);
    },
    "POST",
  );
  self.addEventListener("message", (event) => {
    if (isWorkerMessage(event.data, "signedOut")) finishWithEvent(event, dropSharedContent());
  });
}
