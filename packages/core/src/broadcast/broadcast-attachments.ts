import type { FileUploads } from "../chats/uploads.ts";
import {
  attachmentProblem,
  withAttachment,
  type AttachmentProblem,
} from "../model/broadcast/broadcast-draft.ts";
import type { BroadcastAttachment, BroadcastDraft } from "../model/broadcast/broadcast.ts";
import type { PendingUpload } from "../model/state.ts";
import type { FileData, Ports } from "../ports.ts";

/** What a person does with attachments. */
export interface AttachmentActions {
  /** Adds files to the draft and uploads them at once. Returns what is wrong with those that were not added. */
  attach(files: readonly BroadcastFile[]): readonly AttachmentProblem[];
  /** Uploads an attachment again that has failed. */
  retryAttachment(id: string): void;
  /** Removes an attachment, and aborts its upload. */
  removeAttachment(id: string): void;
  /** The file of an attachment, to show it. */
  attachedFile(id: string): FileData | undefined;
}

/** A file that the person has chosen for a broadcast. */
export interface BroadcastFile extends Pick<BroadcastAttachment, "type" | "name" | "mimeType"> {
  readonly file: FileData;
}

/** The attachments of the draft: each is uploaded once, and its files stay in memory until it is sent or removed. */
export interface BroadcastAttachments {
  readonly actions: AttachmentActions;
  /** Forgets the files of all attachments, and aborts their uploads. */
  clear(): void;
}

/** What the attachments need. */
export interface BroadcastAttachmentsDeps {
  readonly ports: Pick<Ports, "random">;
  readonly uploads: FileUploads;
  draft(): BroadcastDraft;
  setDraft(draft: BroadcastDraft): void;
}

/** Creates the attachments of one session. */
export function createBroadcastAttachments(deps: BroadcastAttachmentsDeps): BroadcastAttachments {
  const { ports, uploads, draft, setDraft } = deps;

  function change(id: string, part: Partial<BroadcastAttachment>): void {
    setDraft(withAttachment(draft(), id, part));
  }

  async function upload({ id, type }: BroadcastAttachment, pending: PendingUpload): Promise<void> {
    const result = await uploads.upload({ tmpId: id, type, upload: pending }, () => undefined);
    if (result.ok) change(id, { status: "success", content: result.value });
    else change(id, { status: "failed", failure: result.failure });
  }

  function attachOne({ file, type, name, mimeType }: BroadcastFile): AttachmentProblem | null {
    const attachment: BroadcastAttachment = {
      id: ports.random.id(),
      type,
      name,
      size: file.size,
      mimeType,
      status: "uploading",
      failure: null,
      content: "",
    };
    const problem = attachmentProblem(draft(), attachment);
    if (problem !== null) return problem;
    setDraft({ ...draft(), attachments: [...draft().attachments, attachment] });
    const pending = { ...NO_MEDIA, name, size: file.size, mimeType };
    uploads.add(attachment.id, pending, { file, cover: null });
    void upload(attachment, pending);
    return null;
  }

  const actions: AttachmentActions = {
    attach: (files) => files.map(attachOne).filter((problem) => problem !== null),
    retryAttachment(id) {
      const attachment = draft().attachments.find((one) => one.id === id);
      const pending = uploads.pendingOf(id);
      if (attachment?.status !== "failed" || pending === undefined) return;
      change(id, { status: "uploading", failure: null });
      void upload(attachment, pending);
    },
    removeAttachment(id) {
      setDraft({ ...draft(), attachments: draft().attachments.filter((one) => one.id !== id) });
      uploads.discard(id);
    },
    attachedFile: (id) => uploads.fileOf(id)?.file,
  };

  return {
    actions,
    clear() {
      for (const { id } of draft().attachments) uploads.discard(id);
    },
  };
}

/** The answer of the server says how large a picture is. */
const NO_MEDIA = { width: null, height: null, duration: null, wave: null } as const;
