import type { Client } from "@parley/core/client-api";
import type { Sound } from "@parley/core/ports";
import { readUserSetting } from "../kit/settings/user-settings.ts";
import { sound } from "../platform/sound.ts";

/** Plays an alert sound, unless the signed-in person turned sounds off. */
export async function playSound(client: Client, name: Parameters<Sound["play"]>[0]): Promise<boolean> {
  return readUserSetting(client.getState().session, "alertSounds") === "on" && sound.play(name);
}
