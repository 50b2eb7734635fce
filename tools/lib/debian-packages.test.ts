import { expect, test } from "vitest";
import { installPrograms, isDebianRoot } from "./debian-packages.ts";

test.skipIf(!isDebianRoot())(
  "a program that is still missing after its installation is a failure, so that its tests are not skipped unnoticed",
  async () => {
    const missing = { packageName: "parley-no-such-package", isMissing: () => true };
    const there = { packageName: "apt", isMissing: () => false };
    await expect(installPrograms([missing, there])).rejects.toThrow(
      "Debian's parley-no-such-package could not be installed, so tests would be skipped.",
    );
    await installPrograms([there]);
  },
);
