import { diskBlobs } from "../adapters/blobs/disk-blobs.ts";
import { s3Blobs } from "../adapters/blobs/s3-blobs.ts";
import { type Config, dataFolder, s3SettingsOf } from "./config.ts";
import { filesFolder } from "./data-folders.ts";
import type { Blobs } from "../ports/blobs.ts";

/** The uploaded files of an installation, to look at them. Changes nothing by itself, and nothing may be put. */
export function existingBlobs(config: Config): Blobs {
  const folder = filesFolder(dataFolder(config));
  const settings = s3SettingsOf(config);
  return settings === undefined ? diskBlobs(folder) : s3Blobs(settings, folder);
}
