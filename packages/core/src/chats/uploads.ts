import { MessageType } from "@parley/protocol/codes";
import { uploadFile, uploadImage, uploadVideo } from "@parley/protocol/endpoints/uploads";
import { filesToForget } from "../model/uploads/files-to-forget.ts";
import { sentFileName, type Uploaded, uploadedContent } from "../model/uploads/upload-content.ts";
import type { Failure, OutboxEntry, PendingUpload, Result } from "../model/state.ts";
import { type Api, type CallOptions, fail, SILENT } from "../connection/api.ts";
import type { FilePart, Lifetime, Ports } from "../ports.ts";
import { createScope, type Scope, type SessionOutside } from "../session-scope.ts";
import type { LocalFile } from "./outgoing-file.ts";

/**
 * Uploads the files of this page's messages, and keeps them in memory: until the server has the message, so that a failed one can be sent
 * again, and the newest ones longer, so that their pictures need not be loaded. At most three uploads run at once, in the order in which
 * they were asked for; without a network they wait.
 */
export interface FileUploads {
  /** Keeps the files of a message, which may still have to be read; null: this device has lost them. */
  add(tmpId: string, upload: PendingUpload, files: LocalFile | Promise<LocalFile | null>): void;
  /** Whether this page has the files of the message. */
  has(tmpId: string): boolean;
  /** What this page can upload again for the message; undefined if it does not have the files. */
  pendingOf(tmpId: string): PendingUpload | undefined;
  /** The files, once they are read. */
  fileOf(tmpId: string): LocalFile | undefined;
  /** Uploads the files of an entry. Resolves with the content of the message. `onStart`: it is the turn of this upload. */
  upload(entry: UploadEntry, onStart: () => void): Promise<Result<string>>;
  /** The person does not want the message sent: aborts its upload and forgets its files. */
  discard(tmpId: string): void;
  /** The server has these messages. Their files are forgotten when they are too many. */
  release(tmpIds: readonly string[]): void;
  /** Aborts everything. */
  stop(): void;
}

/** What an upload needs to know about its message. */
type UploadEntry = Pick<OutboxEntry, "tmpId" | "type"> & { readonly upload: PendingUpload };

/** What uploads need. */
export interface FileUploadsDeps extends SessionOutside {
  accessToken(): string | null;
  /** Refreshes an access token that ends soon. */
  ensureAccessToken(shouldRefresh: boolean): Promise<"ok" | "ended" | "failed">;
}

/** How many uploads run at once. */
const RUNNING_MAX = 3;
const PROGRESS_INTERVAL_MS = 100;

const OFFLINE: Failure = { kind: "network", reason: "offline" };
const FILE_LOST: Failure = { kind: "fileLost" };
const LOGGED_OUT: Failure = { kind: "loggedOut" };

interface LocalUpload {
  readonly upload: PendingUpload;
  readonly reading: Promise<LocalFile | null>;
  files: LocalFile | null;
}

/** Creates the uploads of one session. */
export function createFileUploads(deps: FileUploadsDeps): FileUploads {
  const { ports, api } = deps;
  const localUploads = new Map<string, LocalUpload>();
  /** Messages whose files are only kept to be shown, oldest first. */
  const released = new Set<string>();
  const scopes = new Map<string, Scope>();
  const turns = createTurns(ports.environment);

  async function run(entry: UploadEntry, lifetime: Lifetime): Promise<Result<string>> {
    const files = await localUploads.get(entry.tmpId)?.reading;
    if (files === undefined || files === null) {
      localUploads.delete(entry.tmpId);
      return fail(FILE_LOST);
    }
    // A page that logs in by itself has no token at first.
    if (deps.accessToken() === null) return fail(LOGGED_OUT);
    // An upload may take longer than a token lives.
    const access = await deps.ensureAccessToken(false);
    if (lifetime.isOver() || access === "failed") return fail(OFFLINE);
    if (access === "ended") return fail(LOGGED_OUT);
    const size = localUploads.get(entry.tmpId)?.upload.size ?? 0;
    const progress = showProgress(deps, entry.tmpId, size, lifetime);
    const uploaded = await callUpload(api, entry, files, { lifetime, onProgress: progress.report });
    progress.end();
    if (!uploaded.ok) return uploaded;
    return { ok: true, value: uploadedContent(uploaded.value, entry.upload) };
  }

  function forget(tmpId: string): void {
    scopes.get(tmpId)?.end();
    localUploads.delete(tmpId);
    released.delete(tmpId);
  }

  return {
    add(tmpId, upload, files) {
      const reading = Promise.resolve(files);
      const local: LocalUpload = { upload, reading, files: files instanceof Promise ? null : files };
      localUploads.set(tmpId, local);
      void reading.then((read) => (local.files = read));
    },
    has: (tmpId) => localUploads.has(tmpId),
    pendingOf: (tmpId) => localUploads.get(tmpId)?.upload,
    fileOf: (tmpId) => localUploads.get(tmpId)?.files ?? undefined,
    async upload(entry, onStart) {
      const { tmpId } = entry;
      if (!localUploads.has(tmpId)) return fail(FILE_LOST);
      const scope = createScope();
      scopes.set(tmpId, scope);
      try {
        if ((await turns.wait(scope)) === "aborted") return fail(OFFLINE);
        try {
          onStart();
          return await run(entry, scope);
        } finally {
          turns.end();
        }
      } finally {
        if (scopes.get(tmpId) === scope) scopes.delete(tmpId);
      }
    },
    discard: forget,
    release(tmpIds) {
      for (const tmpId of tmpIds) {
        if (!localUploads.has(tmpId)) continue;
        scopes.get(tmpId)?.end();
        released.add(tmpId);
      }
      const files = [...released].map((tmpId) => ({
        tmpId,
        size: localUploads.get(tmpId)?.upload.size ?? 0,
      }));
      for (const tmpId of filesToForget(files)) forget(tmpId);
    },
    stop() {
      for (const scope of scopes.values()) scope.end();
      localUploads.clear();
      released.clear();
    },
  };
}

/** Whose turn it is to upload: `RUNNING_MAX` at once, in the order in which they were asked for; without a network all wait. */
function createTurns(environment: Ports["environment"]) {
  const waiting: { start(): void }[] = [];
  let runningCount = 0;

  function startWaiting(): void {
    while (runningCount < RUNNING_MAX && environment.hasNetwork()) {
      const next = waiting.shift();
      if (next === undefined) return;
      runningCount++;
      next.start();
    }
  }

  environment.onChange(startWaiting);

  return {
    wait: (lifetime: Lifetime) =>
      new Promise<"turn" | "aborted">((resolve) => {
        const place = { start: () => resolve("turn") };
        waiting.push(place);
        lifetime.onEnd(() => {
          const index = waiting.indexOf(place);
          if (index >= 0) waiting.splice(index, 1);
          resolve("aborted");
        });
        startWaiting();
      }),
    /** An upload whose turn it was has ended. */
    end() {
      runningCount--;
      startWaiting();
    },
  };
}

/** Shows the progress of an upload in the state until it or its lifetime ends: not too often, but the last report always. */
function showProgress(
  { ports, stateStore }: SessionOutside,
  tmpId: string,
  totalBytes: number,
  lifetime: Lifetime,
) {
  let latest = { sentBytes: 0, totalBytes };
  let cancelTimer: (() => void) | null = null;
  let isEnded = false;

  function show(): void {
    stateStore.set({ uploads: { ...othersInState(), [tmpId]: latest } });
    cancelTimer = ports.clock.after(PROGRESS_INTERVAL_MS, () => {
      cancelTimer = null;
      if (latest !== stateStore.get().uploads[tmpId]) show();
    });
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    cancelTimer?.();
    cancelTimer = null;
    stateStore.set({ uploads: othersInState() });
  }

  function othersInState() {
    const { [tmpId]: _own, ...others } = stateStore.get().uploads;
    return others;
  }

  show();
  lifetime.onEnd(end);
  return {
    report(sentBytes: number, total: number) {
      if (isEnded) return;
      latest = { sentBytes, totalBytes: total };
      if (cancelTimer === null) show();
    },
    end,
  };
}

/** Uploads the files of a message with the call for its kind. */
async function callUpload(
  api: Api,
  { type, upload }: UploadEntry,
  { file, cover }: LocalFile,
  callOptions: Pick<CallOptions, "lifetime" | "onProgress">,
): Promise<Result<Uploaded>> {
  const options = { ...SILENT, ...callOptions };
  const part: FilePart = { field: "file", file, name: sentFileName(upload.name) };
  switch (type) {
    case MessageType.IMAGE:
      return withType(type, await api.call(uploadImage, {}, { ...options, files: [part] }));
    case MessageType.VIDEO: {
      const covers = cover === null ? [] : [{ field: "cover", file: cover, name: "cover" }];
      return withType(type, await api.call(uploadVideo, {}, { ...options, files: [part, ...covers] }));
    }
    default: {
      const fileType = type === MessageType.AUDIO ? type : MessageType.FILE;
      return withType(fileType, await api.call(uploadFile, {}, { ...options, files: [part] }));
    }
  }
}

function withType<Type extends Uploaded["type"], Answer>(
  type: Type,
  result: Result<Answer>,
): Result<{ type: Type; answer: Answer }> {
  return result.ok ? { ok: true, value: { type, answer: result.value } } : result;
}
