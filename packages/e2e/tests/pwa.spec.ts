import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { receivedTexts, sendText, sendTexts } from "../src/api.ts";
import { expectWaiting } from "../src/attachments.ts";
import { startDeployments } from "../src/deployments.ts";
import { expect, test } from "../src/fixtures.ts";
import { sendPicture } from "../src/media.ts";
import { Person } from "../src/person.ts";
import { startServer } from "../src/server.ts";

// Stopping the server is the network that is missing here: Chromium's own offline mode does not reach service workers.
test.use({ serviceWorkers: "allow", ownServer: {} });

/** What the caches of the browser contain, as paths. */
const cached = ({ page }: Person, name: string) =>
  page.evaluate(async (cache) => {
    if (!(await caches.has(cache))) return [];
    return (await (await caches.open(cache)).keys()).map(({ url }) => new URL(url).pathname);
  }, name);

/** Waits until the service worker answers for the page. The page installs it by itself, after some seconds. */
const untilInstalled = ({ page }: Person) =>
  expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), { timeout: 60_000 })
    .toBe("activated");

/** What a page shows of a new version, with the states of its workers, which say why a page was not reloaded. */
const versionOf = ({ page }: Person) =>
  page
    .evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return {
        isNew: document.querySelector('meta[name="test-build"]') !== null,
        isLoaded: document.readyState === "complete",
        waiting: registration?.waiting?.state ?? null,
        active: registration?.active?.state ?? null,
      };
    })
    // The page is being reloaded.
    .catch(() => null);
/**
 * Ends the workers, as the browser ends idle ones. It never does so with a debugger at them, as here: one that it has ended for the new
 * version, and that something has started again, would stay for five minutes.
 */
const endWorkers = async ({ page }: Person) => {
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.detach();
};
const NEW_VERSION = { isNew: true, isLoaded: true, waiting: null, active: "activated" };

/** Whether all pictures of the conversation are shown. */
const shownPictures = ({ page }: Person) =>
  page
    .getByRole("log")
    .locator('img[src*="/files/"]')
    .evaluateAll((pictures) =>
      pictures.map((picture) => picture instanceof HTMLImageElement && picture.naturalWidth > 0),
    );

/** By which static routes of the worker calls of the API have gone; "" is none, so that the worker was started for them. */
const routesOfCalls = ({ page }: Person) =>
  page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname.startsWith("/api/"))
        .map((entry) => (entry as unknown as { workerMatchedSourceType: string }).workerMatchedSourceType),
    ),
  ]);

test("W2 W7 W8 W9 W10 the program opens offline after the browser was closed: at the chats of a person whose password is remembered, with recent pictures", async ({
  playwright,
  launchOptions,
  server,
  friends,
  cast,
}) => {
  // It starts the browser four times.
  test.slow();
  const profile = await mkdtemp(join(tmpdir(), "parley-profile-"));
  let open: BrowserContext[] = [];
  const start = async () => {
    const context = await playwright.chromium.launchPersistentContext(profile, {
      ...launchOptions,
      locale: cast.bo.language,
      serviceWorkers: "allow",
      viewport: { width: 1440, height: 900 },
    });
    open = [context];
    return Person.inContext(context, server.url, cast.bo);
  };
  const close = async () => {
    for (const context of open) await context.close();
    open = [];
  };
  try {
    await sendTexts(friends.lin, friends.bo, ["one", "two"]);
    const recalled = await sendPicture(friends.lin, friends.bo, 300);
    await sendPicture(friends.lin, friends.bo, 200);
    let bo = await start();
    await bo.open();
    await bo.byLabel("login.rememberPassword").check();
    await bo.logIn();
    await bo.openChat(cast.lin.nickName);
    await expect.poll(() => shownPictures(bo)).toEqual([true, true]);
    await untilInstalled(bo);
    const shell = await cached(bo, "parley-shell");
    expect(shell).toContain("/index.html");
    await bo.page.reload();
    await expect.poll(() => shownPictures(bo)).toEqual([true, true]);
    // The pictures may be shown before the first answer.
    await expect.poll(() => routesOfCalls(bo)).toEqual(["network"]);
    await expect.poll(() => cached(bo, "parley-pictures")).toHaveLength(2);
    const video = await bo.page.evaluate(
      async (path) => {
        const part = await fetch(path, { headers: { range: "bytes=0-9" } });
        return [part.status, (await part.blob()).size];
      },
      (await cached(bo, "parley-pictures"))[0] ?? "",
    );
    expect(video).toEqual([206, 10]);

    // A recall while the page is open.
    const soonRecalled = await sendPicture(friends.lin, friends.bo, 150);
    await expect.poll(() => cached(bo, "parley-pictures")).toHaveLength(3);
    await friends.lin.call(ENDPOINTS.recallPrivateMessage, { params: { id: soonRecalled } });
    await expect.poll(() => cached(bo, "parley-pictures")).toHaveLength(2);

    // A recall while the browser is closed: the next start asks the server about what is kept.
    await close();
    await friends.lin.call(ENDPOINTS.recallPrivateMessage, { params: { id: recalled } });
    bo = await start();
    await bo.open();
    await expect.poll(() => cached(bo, "parley-pictures")).toHaveLength(1);
    const names = await bo.page.evaluate(() => caches.keys());
    for (const name of names)
      expect((await cached(bo, name)).filter((path) => /^\/(api|im)\b/.test(path))).toEqual([]);

    await close();
    await server.stop();
    bo = await start();
    await bo.open();
    await bo.openChat(cast.lin.nickName);
    await expect.poll(() => shownPictures(bo)).toEqual([true]);
    await bo.send("written offline");
    await bo.expectMessage("written offline");
    await bo.page.reload();
    await bo.expectMessage("written offline");
    expect(await bo.page.evaluate(() => fetch("/api/globalSetting/load").catch(() => "failed"))).toBe(
      "failed",
    );
    await server.start();
    await bo.retryNow();
    await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toContain("written offline");

    // What belongs to the person goes with the sign-out; the program stays.
    await bo.logOut();
    await expect.poll(() => cached(bo, "parley-pictures")).toEqual([]);
    await bo.byLabel("login.rememberPassword").uncheck();
    await bo.byLabel("login.password").fill("");
    await bo.logIn();
    await close();
    await server.stop();
    bo = await start();
    await bo.open("/home/chat");
    await expect(bo.byLabel("login.password")).toBeVisible();
    await expect(bo.page).toHaveURL(/\/login$/);
    expect(await cached(bo, "parley-shell")).toEqual(shell);
  } finally {
    await close();
    await rm(profile, { recursive: true, force: true });
  }
});

test("K32 W3 W4 W5 a new version waits for a click, while the old pages keep their chunks; then all tabs are reloaded with their drafts", async ({
  browser,
  server,
  friends,
  cast,
}) => {
  const deployments = await startDeployments(server.url);
  const bo = await Person.create(browser, deployments.url, cast.bo);
  try {
    await sendText(friends.lin, friends.bo, "hello");
    await bo.openAndLogIn();
    await bo.openChat(cast.lin.nickName);
    await untilInstalled(bo);
    const tab = await bo.openSignedInTab();
    await tab.openChat(cast.lin.nickName);

    deployments.deployBuild(/\/assets\/people-/);
    for (const { page } of [bo, tab])
      await page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found?.update()));
    for (const person of [bo, tab])
      await expect(person.text("app.updateReady")).toBeVisible({ timeout: 60_000 });
    await tab.button("notification.later").click();
    await expect(tab.text("app.updateReady")).toHaveCount(0);
    // The server has this chunk no more.
    await tab.link("nav.friends").click();
    await expect(tab.row(cast.lin.nickName)).toBeVisible();
    await tab.link("nav.chats").click();
    await bo.composer().fill("half a thought");

    const mark = 'meta[name="test-build"]';
    for (const { page } of [bo, tab]) await expect(page.locator(mark)).toHaveCount(0);
    await bo.button("app.reload").click();
    const endIfWaiting = async () => {
      const version = await versionOf(bo);
      if (version?.waiting === "installed") await endWorkers(bo);
      return version?.waiting;
    };
    await expect.poll(endIfWaiting, { timeout: 60_000, intervals: [5_000] }).toBeNull();
    for (const person of [bo, tab])
      await expect.poll(() => versionOf(person), { timeout: 60_000 }).toEqual(NEW_VERSION);
    await expect(bo.composer()).toHaveValue("half a thought");
    await expect(bo.text("app.updateReady")).toHaveCount(0);
    expect(bo.console.unexpectedErrors()).toEqual([]);
  } finally {
    await bo.context.close();
    await deployments.close();
  }
});

test("W6 a server that has switched it off removes the service worker and all that it kept", async ({
  browser,
  server,
  friends: _,
  cast,
}) => {
  const withoutWorker = await startServer({ OFFLINE_APP: "off" });
  const deployments = await startDeployments(server.url);
  const bo = await Person.create(browser, deployments.url, cast.bo);
  try {
    await bo.openAndLogIn();
    await untilInstalled(bo);
    deployments.deployServer(withoutWorker.url);
    await bo.page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found?.update()));
    await expect
      .poll(async () => {
        try {
          return await bo.page.evaluate(async () => [
            (await navigator.serviceWorker.getRegistrations()).length,
            (await caches.keys()).length,
          ]);
        } catch {
          // The page is being reloaded.
          return null;
        }
      })
      .toEqual([0, 0]);
  } finally {
    await bo.context.close();
    await deployments.close();
    await withoutWorker.dispose();
  }
});

test("W11 what another app shares waits for the sign-in, then for a chat, and goes into its draft", async ({
  openBrowser,
  friends: _,
  cast,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.openAndLogIn();
  await untilInstalled(bo);
  await bo.logOut();
  // What the system does when an app shares.
  await bo.page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 30, height: 20 });
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const form = Object.assign(document.createElement("form"), {
      method: "POST",
      action: "/share",
      enctype: "multipart/form-data",
    });
    for (const [name, value] of Object.entries({
      title: "A page",
      text: "Look: https://example.org/a",
      url: "https://example.org/a",
    }))
      form.append(Object.assign(document.createElement("input"), { name, value }));
    const files = new DataTransfer();
    files.items.add(new File([picture ?? ""], "photo.png", { type: "image/png" }));
    const field = Object.assign(document.createElement("input"), { type: "file", name: "files" });
    field.files = files.files;
    form.append(field);
    document.body.append(form);
    form.submit();
  });
  await expect(bo.page).toHaveURL(/\/login$/);
  await bo.logIn();
  const dialog = bo.dialog();
  await expect(dialog).toContainText(bo.t("share.title"));
  await dialog.getByRole("checkbox", { name: cast.lin.nickName }).click();
  await dialog.getByRole("button", { name: bo.t("share.add"), exact: true }).click();
  await expect(bo.composer()).toHaveValue("A page\nLook: https://example.org/a");
  await expectWaiting(bo, ["photo.png"]);
  await expect(bo.messages()).toHaveCount(0);
  await bo.page.reload();
  await expect(bo.composer()).toHaveValue("A page\nLook: https://example.org/a");
  await expect(dialog).toHaveCount(0);
});
