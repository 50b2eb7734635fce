/** Everything that only somebody signed in needs, in one piece: one request brings it. */
export { createSessionScope } from "./create-session-scope.ts";
export { openLocalDatabase } from "../platform/local-database.ts";
export { ToastLayer } from "../ui/toast.tsx";
export { playSound } from "./play-sound.ts";
export { Shell } from "./shell.tsx";
