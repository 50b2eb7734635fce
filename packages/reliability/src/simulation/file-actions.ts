/** What people of a simulation do with files. */
import { MessageType } from "@parley/protocol/codes";
import type { OutgoingFile } from "@parley/core/chats/outgoing-file";
import { outgoingFile } from "@parley/core/testing/builders";
import { unsentFiles } from "@parley/core/testing/scenario-file-actions";
import { simulatedFile } from "./simulated-files.ts";
import { messagesOf, newText, writableChatsOf } from "./random-actions.ts";
import type { SimulatedDevice, Simulation } from "./simulation.ts";

/** Sends files, cancels one, sends a failed one again, or recalls one. */
export function performFileAction(simulation: Simulation): void {
  const { random } = simulation;
  const devices = simulation.devices.filter(({ isDown }) => !isDown);
  if (devices.length === 0) return;
  const device = random.pick(devices);
  device.isTouched = true;
  const roll = random.below(10);
  if (roll < 5) return sendFiles(simulation, device);
  if (roll < 8) return changeUnsent(simulation, device, roll === 5);
  return recallFile(simulation, device);
}

function sendFiles(simulation: Simulation, device: SimulatedDevice): void {
  const { random } = simulation;
  const keys = writableChatsOf(simulation, device);
  if (keys.length === 0) return;
  const key = random.pick(keys);
  const files = Array.from({ length: 1 + random.below(4) }, () => fileOf(`file ${++simulation.texts}`));
  device.client.chats.sendFiles(key, files);
  if (random.isTrueWithProbability(0.3)) device.client.chats.sendText(key, newText(simulation, device, key));
}

function changeUnsent({ random }: Simulation, device: SimulatedDevice, isCancelled: boolean): void {
  const unsent = unsentFiles(device);
  if (unsent.length === 0) return;
  const { key, tmpId } = random.pick(unsent);
  if (isCancelled) device.client.chats.discard(key, tmpId);
  else device.client.chats.resend(key, tmpId);
}

function recallFile(simulation: Simulation, device: SimulatedDevice): void {
  const own = writableChatsOf(simulation, device).flatMap((key) =>
    messagesOf(device, key)
      .filter(({ selfSend, type }) => selfSend && type === MessageType.FILE)
      .map(({ id }) => ({ key, id: id ?? 0 })),
  );
  if (own.length === 0) return;
  const { key, id } = simulation.random.pick(own);
  void device.client.chats.recall(key, id);
}

function fileOf(name: string): OutgoingFile {
  const file = simulatedFile(name);
  return outgoingFile(name, { size: file.size, mimeType: file.type, file });
}
