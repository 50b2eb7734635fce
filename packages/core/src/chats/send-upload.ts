import { MessageType } from "@parley/protocol/codes";
import { uploadFile, uploadImage, uploadVideo } from "@parley/protocol/endpoints/uploads";
import { type Api, type CallOptions, SILENT } from "../connection/api.ts";
import { sentFileName, type Uploaded } from "../model/uploads/upload-content.ts";
import type { OutboxEntry, PendingUpload, Result } from "../model/state.ts";
import type { FilePart } from "../ports.ts";
import type { LocalFile } from "./outgoing-file.ts";

/** What an upload needs to know about its message. */
export type UploadEntry = Pick<OutboxEntry, "tmpId" | "type"> & { readonly upload: PendingUpload };

/** Sends the files of a message with the call for its kind. */
export async function sendUpload(
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
