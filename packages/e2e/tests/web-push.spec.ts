import type { CDPSession, Page, Worker } from "@playwright/test";
import type { WebPushPayload } from "@parley/protocol/web-push";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { completeBrowser } from "../src/browsers.ts";
import { expect, test } from "../src/fixtures.ts";

// A headless browser reaches no push service, so the pushes of these tests are handed to the real service worker by the browser's
// debugging protocol. What the server sends is tested against a push service of our own in `modules/web-push`.
test.use({ serviceWorkers: "allow", launchOptions: completeBrowser() });

interface Shown {
  title: string;
  body: string;
}

/** The notifications that the worker shows. */
const shownBy = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body }) => ({ title, body }));
  });

/** The service worker of a page, which installs it by itself after some seconds. */
async function workerOf(page: Page): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error("there is no service worker");
  return worker;
}

/** Hands pushes to the service worker of an origin, as the push service would. */
async function createDeliverer(
  page: Page,
  origin: string,
): Promise<(payload: WebPushPayload) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (payload) => {
    await session.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: JSON.stringify(payload),
    });
  };
}

/** Leaves the product, and waits until the worker knows that no page of it is open. */
async function closePage(page: Page, worker: Worker): Promise<void> {
  await page.goto("about:blank");
  await expect
    .poll(() =>
      worker.evaluate(async () => {
        const { clients } = globalThis as unknown as {
          clients: { matchAll(options: object): Promise<readonly unknown[]> };
        };
        return (await clients.matchAll({ type: "window", includeUncontrolled: true })).length;
      }),
    )
    .toBe(0);
}

/** What the worker tells the pages after a click on a notification, which only a person can make. */
async function click(worker: Worker, about: object): Promise<void> {
  await worker.evaluate(async (clicked) => {
    const { clients } = globalThis as unknown as {
      clients: { matchAll(): Promise<{ postMessage(data: object): void }[]> };
    };
    for (const page of await clients.matchAll()) page.postMessage({ kind: "pushClicked", about: clicked });
  }, about);
}

test("WP12 a closed page shows what is new, in the person's words; a click goes there, and reading closes it", async ({
  friends,
  cast,
  openBrowser,
  server,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.context.grantPermissions(["notifications"], { origin: server.url });
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const worker = await workerOf(bo.page);
  const deliver = await createDeliverer(bo.page, server.url);
  const about = { userId: friends.bo.id, chat: `PRIVATE:${friends.lin.id}` } as const;
  const news = { kind: "messages", ...about, count: 1, isMention: false, newest: 1, language: "en" } as const;

  // Somebody looks at the page, which shows messages itself.
  await deliver({ ...news, preview: null });
  await closePage(bo.page, worker);
  await deliver({ ...news, preview: null });
  await expect.poll(() => shownBy(worker)).toEqual([{ title: "Parley", body: "You have a new message" }]);
  await deliver({ ...news, count: 2, language: "zh-TW", preview: null });
  await expect.poll(() => shownBy(worker)).toEqual([{ title: "Parley", body: "你有 3 則新訊息" }]);
  const preview = { sender: "林晓", group: null, key: "image", text: "" };
  await deliver({ ...news, language: "zh-CN", preview });
  await expect.poll(() => shownBy(worker)).toEqual([{ title: "Parley", body: "林晓：[图片]" }]);
  await deliver({ kind: "read", ...about });
  await expect.poll(() => shownBy(worker)).toEqual([]);

  const id = await sendText(friends.lin, friends.bo, "look here");
  await deliver({ ...news, newest: id, preview: null });
  await expect.poll(() => shownBy(worker)).toHaveLength(1);
  await bo.page.goto(server.url);
  await expect(bo.row(cast.lin.nickName)).toContainText("look here");
  await click(worker, { ...about, newest: id, count: 1 });
  await expect(bo.page.getByRole("log").getByText("look here")).toBeVisible();
  await expect.poll(() => shownBy(worker)).toEqual([]);
});

test("WP14 a call that rings shows on a closed page beside what is new there, and goes when it rings no longer; a click opens the chat", async ({
  friends,
  cast,
  openBrowser,
  server,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.context.grantPermissions(["notifications"], { origin: server.url });
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const worker = await workerOf(bo.page);
  const deliver = await createDeliverer(bo.page, server.url);
  const about = { userId: friends.bo.id, chat: `PRIVATE:${friends.lin.id}` } as const;
  const call = { kind: "call", ...about, language: "en", preview: null } as const;

  // Somebody looks at the page, which rings itself.
  await deliver(call);
  await closePage(bo.page, worker);
  await deliver({
    kind: "messages",
    ...about,
    count: 1,
    isMention: false,
    newest: 1,
    language: "en",
    preview: null,
  });
  await deliver({ ...call, preview: { sender: "林晓", group: null } });
  const message = { title: "Parley", body: "You have a new message" };
  await expect
    .poll(async () => (await shownBy(worker)).sort((a, b) => (a.body < b.body ? -1 : 1)))
    .toEqual([message, { title: "Parley", body: "林晓 is calling you" }]);
  await deliver({ kind: "callOver", ...about });
  await expect.poll(() => shownBy(worker)).toEqual([message]);

  // A page that comes back takes away what is read, but not a call.
  await deliver(call);
  await bo.page.goto(server.url);
  await expect.poll(() => shownBy(worker)).toEqual([{ title: "Parley", body: "Incoming call" }]);
  await click(worker, { ...about, newest: null, count: 0 });
  await expect(bo.page.getByRole("log")).toBeVisible();
  await expect(bo.page).toHaveURL(new RegExp(`/home/chat/${about.chat}$`));
});

test("WP13 a browser that lets only the service worker show notifications, as on Android, gets those of an open page from there", async ({
  friends,
  cast,
  openBrowser,
  server,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.context.grantPermissions(["notifications"], { origin: server.url });
  await bo.context.addInitScript(() => {
    const refuse = function () {
      throw new TypeError("Illegal constructor");
    };
    window.Notification = Object.assign(refuse, {
      permission: "granted",
      requestPermission: () => Promise.resolve("granted"),
    }) as unknown as typeof Notification;
    document.hasFocus = () => false;
  });
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const worker = await workerOf(bo.page);

  await sendText(friends.lin, friends.bo, "one");
  await sendText(friends.lin, friends.bo, "two");
  const body = bo.t("chat.announce", { name: cast.lin.nickName, text: "two" });
  await expect.poll(() => shownBy(worker)).toEqual([{ title: bo.t("app.name"), body }]);
  await bo.openChat(cast.lin.nickName);
  await bo.page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event("focus"));
  });
  await expect.poll(() => shownBy(worker)).toEqual([]);
});

test("WP10 the settings turn it on, and say what stands in the way", async ({
  friends: _,
  cast,
  openBrowser,
  server,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.context.grantPermissions(["notifications"], { origin: server.url });
  // The part of the browser that needs a push service is replaced.
  await bo.context.addInitScript(() => {
    const bytes = (length: number) => new Uint8Array(length).fill(4).buffer;
    const subscription = {
      endpoint: "https://push.example.org/device",
      options: { applicationServerKey: bytes(65) },
      getKey: (name: string) =>
        name === "auth"
          ? bytes(16)
          : Uint8Array.from(atob(localStorage.getItem("test.point") ?? ""), (c) => c.charCodeAt(0)).buffer,
      unsubscribe: () => Promise.resolve(true),
    };
    let isSubscribed = false;
    PushManager.prototype.getSubscription = () =>
      Promise.resolve((isSubscribed ? subscription : null) as unknown as PushSubscription | null);
    PushManager.prototype.subscribe = () => {
      if (localStorage.getItem("test.fails") !== null)
        return Promise.reject(new DOMException("no push service", "AbortError"));
      isSubscribed = true;
      return Promise.resolve(subscription as unknown as PushSubscription);
    };
  });
  await bo.openAndLogIn();
  await bo.openSettings("notifications");
  const toggle = bo.page.getByRole("switch", { name: bo.t("settings.push") });
  const preview = bo.page.getByRole("switch", { name: bo.t("settings.pushPreview") });
  await expect(toggle).not.toBeChecked();
  await expect(preview).toBeDisabled();

  await bo.page.evaluate(() => localStorage.setItem("test.fails", "1"));
  bo.console.allow(/web push/);
  await toggle.click();
  await expect(bo.dialog()).toContainText(bo.t("settings.pushBrowser"));
  await bo.page.evaluate(async () => {
    localStorage.removeItem("test.fails");
    const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, [
      "deriveBits",
    ]);
    const point = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
    localStorage.setItem("test.point", btoa(String.fromCharCode(...point)));
  });
  const subscribed = bo.page.waitForRequest((request) =>
    request.url().endsWith(ENDPOINTS.subscribeWebPush.path),
  );
  await toggle.click();
  expect((await subscribed).postDataJSON()).toMatchObject({ preview: false });
  await expect(toggle).toBeChecked();
  await preview.click();
  await expect(preview).toBeChecked();
  await expect(bo.dialog()).toContainText(bo.t("settings.pushHint"));

  // The next start tells the server again.
  const renewed = bo.page.waitForRequest((request) =>
    request.url().endsWith(ENDPOINTS.subscribeWebPush.path),
  );
  await bo.page.reload();
  expect((await renewed).postDataJSON()).toMatchObject({ preview: true });
  await bo.openSettings("notifications");
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expect(toggle).not.toBeChecked();
});
