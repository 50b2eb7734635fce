import { fastBrowser } from "../src/browsers.ts";
import { expect, test } from "../src/fixtures.ts";
import { watchMicrophone } from "../src/microphone.ts";
import type { Person } from "../src/person.ts";
import { startServer } from "../src/server.ts";
import { hasTurnServer, startTurnServer } from "../src/turn-server.ts";

const SECRET = "shared with coturn";

const browser = fastBrowser();
// A computer without a network has the loopback interface alone.
test.use({
  launchOptions: { ...browser, args: [...(browser.args ?? []), "--allow-loopback-in-peer-connection"] },
});

/** A line of the self-check. */
function line(person: Person, id: string) {
  return person
    .dialog()
    .getByRole("listitem")
    .filter({ has: person.page.getByText(person.t(`check.${id}`), { exact: true }) });
}

/** Expects how a line looks and what it says. */
async function expectLine(person: Person, id: string, level: string, text: string | RegExp): Promise<void> {
  // The check itself waits 15 s for an answer.
  const patient = expect.configure({ timeout: 60_000 });
  await patient(line(person, id).locator("[data-level]")).toHaveAttribute("data-level", level);
  await expect(line(person, id)).toContainText(text);
}

const tryButton = (person: Person, id: string) => line(person, id).getByRole("button");

test("ST5 the self-check tries microphone, camera and speaker when it is asked to, and closes them at once", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  const states = await watchMicrophone(bo);
  await bo.openSettings("connection");
  for (const id of ["microphone", "camera", "speaker"])
    await expectLine(bo, id, "info", bo.t("check.device.untried"));
  for (const id of ["stun", "turnUdp", "turnTcp", "turnTls"])
    await expectLine(bo, id, "info", bo.t("check.ice.notSetUp"));
  expect(await states()).toEqual([]);
  for (const id of ["microphone", "camera"]) {
    await tryButton(bo, id).click();
    await expectLine(bo, id, "ok", bo.t("check.device.works", { name: "" }));
  }
  expect(await states()).toEqual(["ended", "ended"]);
  await tryButton(bo, "speaker").click();
  await expectLine(bo, "speaker", "ok", bo.t("settings.testSound.played"));

  await bo.page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException("Could not start", "NotReadableError"));
  });
  await tryButton(bo, "camera").click();
  await expectLine(bo, "camera", "warn", bo.t("check.device.inUseAdvice"));
});

for (const [name, secret, level, says] of [
  ["that share its secret", SECRET, "ok", /\d+ ms/],
  ["with another secret", "another secret", "warn", "check.ice.refusedAdvice"],
] as const) {
  test.describe(`of coturn and a server ${name}`, () => {
    test.skip(!hasTurnServer(), "coturn is not installed and could not be");
    test.use({
      server: async ({}, use) => {
        const turn = await startTurnServer(SECRET);
        const server = await startServer({ ICE_URLS: turn.urls, TURN_SECRET: secret });
        await use(server);
        await server.dispose();
        await turn.stop();
      },
    });

    test(`ST5 the self-check asks STUN and TURN servers ${name}`, async ({
      friends: _,
      cast,
      openSignedIn,
    }) => {
      const bo = await openSignedIn(cast.bo);
      await bo.openSettings("connection");
      const words = typeof says === "string" ? bo.t(says) : says;
      for (const id of ["turnUdp", "turnTcp"]) await expectLine(bo, id, level, words);
      await expectLine(bo, "stun", "ok", /\d+ ms/);
      await expectLine(bo, "turnTls", "info", bo.t("check.ice.notSetUp"));
    });
  });
}

test.describe("of a server whose TURN server is not running", () => {
  test.use({
    ownServer: { ICE_URLS: "turn:127.0.0.1:9?transport=tcp,turn:127.0.0.1:9", TURN_SECRET: SECRET },
  });

  test("ST5 the self-check says within 15 s that TURN servers do not answer", async ({
    friends: _,
    cast,
    openSignedIn,
  }) => {
    const bo = await openSignedIn(cast.bo);
    await bo.openSettings("connection");
    for (const id of ["turnTcp", "turnUdp"]) await expectLine(bo, id, "warn", bo.t("check.ice.noAnswer"));
    await expectLine(bo, "stun", "info", bo.t("check.ice.notSetUp"));
  });
});
