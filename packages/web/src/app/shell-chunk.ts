/** Everything that is needed only after sign-in, in one chunk that one request loads. */
export { createSignedInClient } from "@parley/core/signed-in-client";
export { openLocalDatabase } from "../platform/local-database.ts";
export { ToastLayer } from "../ui/toast.tsx";
export { playSound } from "./play-sound.ts";
export { Shell } from "./shell.tsx";
