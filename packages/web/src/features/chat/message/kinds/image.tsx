import type { MessageKind } from "./message-kind.ts";
import { PictureBubble } from "./picture-bubble.tsx";

export const image: MessageKind = { Bubble: PictureBubble };
