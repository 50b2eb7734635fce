import type { CallActions } from "@parley/core/call-actions";
import type { ChatActions, Client } from "@parley/core/client-api";
import type { StorageActions } from "@parley/core/chats/eviction";
import type { Api } from "@parley/core/connection/api";
import { DEFAULT_DISK_LIMIT } from "@parley/core/model/disk-limit";
import { INITIAL_STATE } from "@parley/core/state-store";
import { SAMPLE_DEVICES, sampleStream } from "./sample-calls.ts";
import { listSampleMedia, SAMPLE_PICTURE, sampleFileUrl } from "./sample-files.ts";
import { answerReactions, withReactions } from "./sample-reactions.ts";
import { createSampleState } from "./sample-state.ts";

/** Actions that do nothing: what they ask for is never answered. `own` are the ones that a sample needs. */
function idleActions<Actions extends object>(own: Partial<Actions> = {}): Actions {
  const wait = () => new Promise(() => undefined);
  return new Proxy(own, { get: (target, name) => Reflect.get(target, name) ?? wait }) as Actions;
}

/** A client whose state is the sample data and never changes. */
export function createSampleClient(): Client {
  const state = withReactions({ ...INITIAL_STATE, ...createSampleState(Date.now()) });
  return {
    getState: () => state,
    subscribe: () => () => undefined,
    onNotice: () => () => undefined,
    api: idleActions<Api>({ call: answerReactions }),
    session: idleActions(),
    account: idleActions(),
    chats: idleActions<ChatActions>({
      recalledText: () => "text",
      nextMention: () => null,
      localFile: (tmpId) =>
        tmpId.startsWith("upload") ? { file: SAMPLE_PICTURE, cover: SAMPLE_PICTURE } : undefined,
      listMedia: (key, kind, next) => listSampleMedia(key, kind, next),
      draftFile: async (_key, id) => (id === "lost" ? null : samplePicture()),
    }),
    contacts: idleActions(),
    groups: idleActions(),
    broadcast: idleActions(),
    calls: idleActions<CallActions>({
      devices: () => Promise.resolve(SAMPLE_DEVICES),
      localStream: () => sampleStream("own"),
      remoteStream: () => sampleStream("other"),
    }),
    webPush: idleActions(),
    storage: idleActions<StorageActions>({
      usage: () => Promise.resolve(null),
      limit: () => DEFAULT_DISK_LIMIT,
    }),
    fileUrl: sampleFileUrl,
    close: () => undefined,
  };
}

/** A picture of its own making. */
function samplePicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(300, 200);
  const context = canvas.getContext("2d");
  if (context !== null) {
    const sky = context.createLinearGradient(0, 0, 300, 200);
    sky.addColorStop(0, "skyblue");
    sky.addColorStop(1, "seagreen");
    context.fillStyle = sky;
    context.fillRect(0, 0, 300, 200);
  }
  return canvas.convertToBlob();
}
