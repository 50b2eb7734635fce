import type { OutgoingFile } from "@parley/core/client-api";
import { MessageType } from "@parley/protocol/codes";
import { type FileKind, fileKind, fileType, isPictureSize } from "./file-kind.ts";
import { readPicture, readVideo } from "./read-media.ts";

/**
 * Makes a picked file ready to be sent: decides what it is, reads its size, and makes the cover of a video. Never rejects: what cannot be read
 * goes as a file.
 */
export async function prepareFile(file: File, options: PrepareOptions): Promise<OutgoingFile> {
  try {
    return await readFile(file, options.isFile ? MessageType.FILE : fileKind(file, options.imageMax));
  } catch (error) {
    reportError(error);
    return plain(file, MessageType.FILE);
  }
}

async function readFile(file: File, kind: FileKind): Promise<OutgoingFile> {
  if (kind === MessageType.VIDEO) {
    const details = await readVideo(file);
    // What cannot be played here can still be downloaded. The name and type of a sound may be those of a video.
    if (details === null || details.width === 0) return plain(file, MessageType.FILE);
    return { ...plain(file, kind), ...details };
  }
  if (kind === MessageType.FILE) return plain(file, kind);
  const size = await readPicture(file);
  // A file that is no picture in spite of its type, or a picture that is too large to be shown, can still be downloaded.
  if (size === null || !isPictureSize(size.width, size.height)) return plain(file, MessageType.FILE);
  return { ...plain(file, kind), ...size };
}

interface PrepareOptions {
  /** The person asks for a file, whatever it is. */
  readonly isFile: boolean;
  /** Bytes that the server takes for a picture. */
  readonly imageMax: number;
}

function plain(file: File, type: FileKind): OutgoingFile {
  return {
    type,
    file,
    cover: null,
    name: file.name,
    size: file.size,
    mimeType: fileType(file),
    width: null,
    height: null,
    duration: null,
    wave: null,
  };
}
