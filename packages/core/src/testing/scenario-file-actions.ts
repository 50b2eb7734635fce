import { MessageType } from "@parley/protocol/codes";
import type { ChatKey } from "../model/state.ts";
import { outgoingFile } from "./builders.ts";
import type { Device } from "./device.ts";
import { chatsOf } from "./scenario-actions.ts";
import type { Scenario } from "./scenario-state.ts";

/** What users of a scenario do with files that they send. */
export const FILE_SCENARIO_ACTIONS = ["fileSent", "fileCancelled", "fileSentAgain"] as const;
type FileScenarioAction = (typeof FILE_SCENARIO_ACTIONS)[number];

/** Sends files to a chat, cancels one that is being sent, or sends a failed one again; null when nothing was possible. */
export function performFileScenarioAction(scenario: Scenario, device: Device): FileScenarioAction | null {
  const { random } = scenario;
  const keys = chatsOf(device).filter((key) => !key.startsWith("SYSTEM:"));
  if (keys.length === 0) return null;
  const roll = random.below(10);
  if (roll < 6) {
    device.client.chats.sendFiles(
      random.pick(keys),
      Array.from({ length: 1 + random.below(4) }, () => outgoingFile(`file ${++scenario.textCount}`)),
    );
    return "fileSent";
  }
  const unsent = unsentFiles(device);
  if (unsent.length === 0) return null;
  const { key, tmpId, isFailed } = random.pick(unsent);
  if (roll < 8) {
    device.client.chats.discard(key, tmpId);
    return "fileCancelled";
  }
  if (!isFailed) return null;
  scenario.sentAgain.add(tmpId);
  device.client.chats.resend(key, tmpId);
  return "fileSentAgain";
}

/** No upload is running, each file names what was uploaded for it, and messages are in the order of sending. */
export function checkFiles({ devices, server, sentAgain }: Scenario): string[] {
  const { messages, groups } = server.tables;
  const problems = devices.flatMap(({ name, client }) => {
    const running = Object.keys(client.getState().uploads);
    return running.length === 0 ? [] : [`${name} is still uploading ${running.join()}`];
  });
  const newestSerials = new Map<string, number>();
  for (const row of [...messages, ...groups.messages]) {
    if (row.type === MessageType.FILE && row.content !== "") {
      const { name, url } = JSON.parse(row.content) as { name: string; url: string };
      if (!url.endsWith(`/${name}`)) problems.push(`the message with ${name} has ${url}`);
    }
    // Texts and files of one page have tmpIds with ascending numbers. Edits do not wait for their turn. A refused message whose page
    // ended before the refusal arrived is sent again by the next page, behind messages that the server accepted in between.
    const tmpId = row.tmpId ?? "";
    const [, page, serial] = /^(.+)-(\d+)$/.exec(tmpId) ?? [];
    if (page === undefined || row.type === MessageType.EDIT) continue;
    if (sentAgain.has(tmpId) || server.refusedTmpIds.has(tmpId)) continue;
    const lane = "groupId" in row ? `${page} group ${row.groupId}` : `${page} ${row.recvId}`;
    if (Number(serial) < (newestSerials.get(lane) ?? 0)) problems.push(`${row.tmpId} was sent too late`);
    newestSerials.set(lane, Number(serial));
  }
  return problems;
}

/** The messages with files that this device has not uploaded. */
export function unsentFiles({
  client,
}: Pick<Device, "client">): { key: ChatKey; tmpId: string; isFailed: boolean }[] {
  return Object.values(client.getState().chats.byKey).flatMap(({ key, window, sync }) =>
    [...window.messages, ...sync.pending].flatMap(({ id, tmpId, upload, sending }) =>
      id === null && tmpId !== null && upload !== null
        ? [{ key, tmpId, isFailed: sending === "failed" }]
        : [],
    ),
  );
}
