import { MessageType } from "@parley/protocol/codes";
import type { Client } from "@parley/core/client-api";
import type { ChatMessage } from "@parley/core/model/state";
import type { Translate } from "../../../kit/i18n/i18n.ts";
import { downloadUrl } from "../../../kit/forms/downloads.ts";
import { extensionOf } from "../message/media/file-name.tsx";
import { downloadOf, pictureOf } from "../message/media/media-content.ts";

/** A picture or a video to show. */
export interface ViewerItem {
  readonly key: string;
  readonly kind: "picture" | "video";
  /** Absolute urls, or urls of local files. */
  readonly url: string;
  readonly thumbUrl: string | null;
  /** A tiny picture as a data url, shown until the thumbnail is there. */
  readonly placeholder: string | null;
  /** px; 0 while unknown. */
  readonly width: number;
  readonly height: number;
  /** The name for screen readers. */
  readonly label: string;
  readonly download: { readonly url: string; readonly fileName: string };
}

/** The urls of a file that this page has itself. They are valid until the viewer closes. */
export interface LocalFile {
  readonly url: string;
  readonly coverUrl: string | null;
}

/** What the viewer shows of a message; null for one whose picture is neither here nor on the server. */
export function viewerItem(
  client: Pick<Client, "fileUrl">,
  message: ChatMessage,
  name: string,
  local: LocalFile | null,
  t: Translate,
): ViewerItem | null {
  const picture = pictureOf(message);
  const stored = downloadOf(message);
  const url = local?.url ?? (stored && client.fileUrl(stored.url));
  if (picture === null || url === null) return null;
  const isVideo = message.type === MessageType.VIDEO;
  const { thumbUrl, placeholder, width, height } = picture;
  const time = fileTime(message.sendTime);
  const extension = stored === null ? "" : `.${extensionOf(stored.name)}`;
  const fileName =
    message.upload?.name ?? `${t(isVideo ? "viewer.videoFile" : "viewer.pictureFile", { time })}${extension}`;
  return {
    key: message.key,
    kind: isVideo ? "video" : "picture",
    url,
    thumbUrl: local === null ? thumbUrl && client.fileUrl(thumbUrl) : local.coverUrl,
    placeholder: placeholder && `data:image/webp;base64,${placeholder}`,
    width,
    height,
    label: t(isVideo ? "viewer.videoFrom" : "viewer.pictureFrom", { name }),
    download: {
      url: stored === null ? url : downloadUrl(client.fileUrl(stored.url), fileName),
      fileName,
    },
  };
}

/** The time in a file name, in the reader's time zone: `2026-06-17 16.08.12`. */
function fileTime(time: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = new Date(time);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(".")}`;
}
