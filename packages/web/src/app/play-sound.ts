import type { Client } from "@parley/core/runtime/client-api";
import type { Sound } from "@parley/core/runtime/ports";
import { readChoice } from "../kit/choices.ts";
import { sound } from "../platform/sound.ts";

/** Plays an alert, unless the person signed in wants none. */
export async function playSound(client: Client, name: Parameters<Sound["play"]>[0]): Promise<boolean> {
  return readChoice(client.getState().session, "alertSounds") === "on" && sound.play(name);
}
