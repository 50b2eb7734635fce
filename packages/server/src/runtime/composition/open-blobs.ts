import type { Logger } from "pino";
import { openDiskBlobs } from "../../adapters/blobs/disk-blobs.ts";
import { type Config, ConfigError, s3SettingsOf } from "../../config/config.ts";
import type { Blobs } from "../../ports/blobs.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";

/**
 * Opens the storage of files. A bucket that refuses the settings is an error of the operator; one that does not answer may come back while the server
 * runs, so it is only logged.
 */
export async function openBlobs(config: Config, folder: string, now: number, log: Logger): Promise<Blobs> {
  const settings = s3SettingsOf(config);
  if (settings === undefined) return openDiskBlobs(folder, now);
  // The HTTP client behind it takes 30 MB of memory.
  const [{ openS3Blobs }, { S3Failure }] = await Promise.all([
    import("../../adapters/blobs/s3-blobs.ts"),
    import("../../adapters/blobs/s3-requests.ts"),
  ]);
  const blobs = await openS3Blobs(settings, folder, now);
  try {
    await blobs.probe();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const { cause } = error;
    if (cause instanceof S3Failure && cause.isRefusal) {
      throw new ConfigError(`S3_BUCKET ${settings.bucket} cannot be used: ${cause.message}.`);
    }
    log.warn({ reason: error.message }, "files cannot be stored or read yet");
  }
  return blobs;
}
