import { expect, test } from "vitest";
import { NoPreviousVersionError, unpackPreviousVersion } from "./previous-version.ts";
import { withTempFolder } from "./with-server.ts";

test("a previous version that the git history does not have is no failure of this one: it is said that it is missing", async () => {
  await withTempFolder(async (folder) => {
    const unpacking = unpackPreviousVersion(folder, "v0.0.0-never-released");
    await expect(unpacking).rejects.toThrow(
      new NoPreviousVersionError("the git history does not have v0.0.0-never-released"),
    );
  });
});
