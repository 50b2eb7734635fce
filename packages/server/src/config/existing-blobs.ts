import { diskBlobs } from "../adapters/blobs/disk-blobs.ts";
import { type Config, dataFolder, s3SettingsOf } from "./config.ts";
import { filesFolder } from "./data-folders.ts";
import type { Blobs } from "../ports/blobs.ts";

/** The uploaded files of an installation, to look at them. Changes nothing by itself, and nothing may be put. */
export async function existingBlobs(config: Config): Promise<Blobs> {
  const folder = filesFolder(dataFolder(config));
  const settings = s3SettingsOf(config);
  if (settings === undefined) return diskBlobs(folder);
  const { s3Blobs } = await import("../adapters/blobs/s3-blobs.ts");
  return s3Blobs(settings, folder);
}
