import type { Ringtones } from "@parley/core/call-ports";
import { sound } from "../sound.ts";
import incomingUrl from "../sounds/incoming-call.wav";
import outgoingUrl from "../sounds/outgoing-call.wav";

const FILES = { incoming: incomingUrl, outgoing: outgoingUrl } as const;

/** The sounds while it rings. */
export const browserRingtones: Ringtones = { start: (which) => sound.repeat(FILES[which]) };
