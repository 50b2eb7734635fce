import { hasTurnServer, startTurnServer } from "@parley/e2e/turn-server";
import { loadConfig } from "@parley/server/config/config";
import { checkIce } from "@parley/server/doctor/check-ice";
import { freePort } from "@parley/server/testing/local-programs";
import { describe, expect, onTestFinished, test } from "vitest";

/** How long is waited for what never answers. */
const IMPATIENT_MS = 1_000;

describe.skipIf(!hasTurnServer())("the check of STUN and TURN servers", () => {
  test("finds nothing wrong with a coturn that shares the secret, and names one that does not, or that is not there", async () => {
    const turn = await startTurnServer("shared-secret");
    onTestFinished(() => turn.stop());
    const ice = (secret: string, urls = turn.urls) => loadConfig({ ICE_URLS: urls, TURN_SECRET: secret });
    expect(await checkIce(ice("shared-secret"))).toEqual([]);

    const [stun = "", overUdp = "", overTcp = ""] = turn.urls.split(",");
    expect(stun).toMatch(/^stun:/);
    const refused = (url: string) =>
      `${url} of ICE_URLS refuses the credentials: TURN_SECRET must be its static-auth-secret, and the clocks of both machines must agree.`;
    expect(await checkIce(ice("another-secret"))).toEqual([refused(overUdp), refused(overTcp)]);

    const nobody = `127.0.0.1:${await freePort()}`;
    const gone = `stun:${nobody},turn:${nobody}?transport=tcp`;
    expect(await checkIce(ice("shared-secret", gone), IMPATIENT_MS)).toEqual([
      expect.stringMatching(/^stun:.* cannot be used from this machine \(.+\): check that it runs/),
      expect.stringMatching(/^turn:.* cannot be used from this machine \(.*ECONNREFUSED.*\)/),
    ]);
  });

  test("names a TURN server that asks for no credentials", async () => {
    const turn = await startTurnServer(null);
    onTestFinished(() => turn.stop());
    const [, url = ""] = turn.urls.split(",");
    expect(await checkIce(loadConfig({ ICE_URLS: url, TURN_SECRET: "shared-secret" }))).toEqual([
      `${url} of ICE_URLS asks for no credentials, so everybody may use it: set use-auth-secret.`,
    ]);
  });
});
