import { isSaved } from "../model/chats/saved-messages.ts";
import type { Device } from "./device.ts";
import { pickMessage } from "./scenario-actions.ts";
import type { Scenario } from "./scenario-state.ts";

/** Saves a message, changes its note and tags, or removes it. Nothing to count: the shared value says that it changed. */
export function performSavedScenarioAction(scenario: Scenario, device: Device): null {
  const { random } = scenario;
  const picked = pickMessage(device, random);
  const id = picked?.message.id ?? null;
  if (picked === null || id === null || !picked.key.startsWith("PRIVATE:")) return null;
  const { chats, getState } = device.client;
  if (isSaved(getState(), id) && random.isTrueWithProbability(0.4)) chats.removeSaved(picked.key, id);
  else {
    const note = random.isTrueWithProbability(0.5) ? `note ${random.below(9)}` : "";
    chats.save(picked.key, id, { note, tags: random.isTrueWithProbability(0.3) ? ["tag"] : [] });
  }
  return null;
}
