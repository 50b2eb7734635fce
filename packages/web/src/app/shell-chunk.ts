/** Everything that only somebody signed in needs, in one piece: one request brings it. */
export { createRoom } from "./create-room.ts";
export { openDatabase } from "../platform/database.ts";
export { ToastLayer } from "../ui/toast.tsx";
export { playSound } from "./play-sound.ts";
export { Shell } from "./shell.tsx";
