/**
 * The main journey of a person: signs in, talks, searches, sends a picture and a file, looks at the picture, changes the settings, reloads
 * without a server, and writes in that time. It is written once for all browsers.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Report } from "@parley/reliability/faults/report";
import {
  type Account,
  PASSWORD,
  befriend,
  createAccount,
  receivedTexts,
  sendLongConversation,
  sendText,
} from "../api.ts";
import { createPng } from "../png.ts";
import { type RunningServer, startServer } from "../server.ts";
import type { Driver } from "./driver.ts";
import { until, Visitor } from "./visitor.ts";

const OLD_TEXT = "我家在上海东边";
/** So many that the old text is not among the mounted rows. */
const MESSAGES_SINCE = 200;
const PICTURE_SIDE = 300;
/** If a message goes out twice, the second one comes within this time. */
const TWICE_MS = 5_000;

/** What the steps share. */
interface Scene {
  readonly bo: Visitor;
  readonly server: RunningServer;
  readonly accounts: { readonly lin: Account; readonly bo: Account };
  readonly folder: string;
  /** What differs in this browser, as sentences. */
  readonly remarks: string[];
}

const STEPS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async "sign in"({ bo, server, accounts }) {
    await bo.browser.open(server.url);
    await bo.fill(bo.field("login.username"), accounts.bo.userName);
    await bo.fill(bo.field("login.password"), PASSWORD);
    await bo.click(bo.button("login.submit"));
    await bo.see(bo.row(accounts.lin.nickName));
  },

  async talk({ bo, accounts: { lin, bo: account } }) {
    await bo.click(bo.row(lin.nickName));
    await bo.send("hello 林晓 😀");
    await bo.see(bo.message("hello 林晓 😀"));
    await expectStoredOnce(lin, account, "hello 林晓 😀");
    await sendText(lin, account, "你好，Bo！");
    await bo.see(bo.message("你好，Bo！"));
  },

  async "write with an input method"({ bo, accounts: { lin, bo: account } }) {
    await bo.fill(bo.field("chat.placeholder"), "composed ");
    await bo.browser.compose("您");
    // The Enter that ended the composition has sent nothing.
    await until("the field has what was composed", async () => {
      const text = await bo.evaluate(() => document.querySelector("textarea")?.value);
      return text === "composed 您";
    });
    await bo.browser.press("Enter");
    await bo.see(bo.message("composed 您"));
    await expectStoredOnce(lin, account, "composed 您");
  },

  async "copy and paste"({ bo }) {
    await bo.openMessageMenu("你好，Bo！");
    await bo.click(bo.menuItem("act.copy"));
    await bo.see({ css: "[role=menu]" }, 0);
    await bo.fill(bo.field("chat.placeholder"), "pasted ");
    await bo.browser.press("v", true);
    await bo.browser.press("Enter");
    await bo.see(bo.message("pasted 你好，Bo！"));
  },

  async search({ bo }) {
    await bo.see(bo.message(OLD_TEXT), 0);
    await bo.browser.press("k", true);
    await bo.fill(bo.field("search.placeholder"), "上海");
    const hit = { css: "[role=dialog] [role=option]", text: OLD_TEXT };
    await bo.see(hit);
    await bo.click(hit);
    await bo.see({ css: "[role=dialog]" }, 0);
    await until("the message that was found is in view", async () => {
      const [message] = await bo.find(bo.message(OLD_TEXT));
      return message?.isReachable === true;
    });
  },

  async "send a picture"(scene) {
    const { bo, accounts } = scene;
    await sendFile(scene, "attach.pickPicture", "square.png", createPng(PICTURE_SIDE));
    await expectStored(accounts.bo, MessageType.IMAGE);
    await expectPicture(bo);
  },

  async "send a file"(scene) {
    const { bo, accounts } = scene;
    await sendFile(scene, "attach.pickFile", "notes.txt", Buffer.from("some notes"));
    await expectStored(accounts.bo, MessageType.FILE);
    await bo.see(bo.message("notes.txt"));
  },

  async "open the picture in the viewer"({ bo }) {
    const side = String(PICTURE_SIDE);
    const name = bo.t("media.pictureLabel", { width: side, height: side });
    const viewer = { css: "[role=dialog]", name: bo.t("viewer.title") };
    await bo.click({ css: "[role=log] button, [role=log] [role=button]", name });
    await bo.see(viewer);
    await until("the original is shown", async () =>
      (await bo.evaluate(pictureWidths, "[role=dialog]")).includes(PICTURE_SIDE),
    );
    await bo.browser.press("Escape");
    await bo.see(viewer, 0);
  },

  async "check by the settings what works"({ bo }) {
    await openSettings(bo, "settings.connection");
    await bo.see({ css: "[role=status]", text: bo.t("check.done") });
    for (const id of ["server", "socket", "clock", "secure"])
      await bo.see({ css: "li:has([data-level=ok])", text: bo.t(`check.${id}`) });
    await bo.see({ css: "li:has([data-level=warn], [data-level=bad])" }, 0);
    await closeDialog(bo);
  },

  async "change theme and language"({ bo, accounts }) {
    await openSettings(bo, "settings.general");
    await bo.click({ css: "[role=dialog] label", name: bo.t("theme.dark") });
    await bo.click({ css: "[role=dialog] label", name: "繁體中文" });
    bo.language = "zh-TW";
    const isChanged = async () => {
      await bo.see({ css: "html[data-theme=dark]:lang(zh-TW)" });
      await bo.see({ css: "a", name: bo.t("nav.friends") });
    };
    await isChanged();
    await closeDialog(bo);
    await bo.browser.reload();
    await isChanged();
    await bo.see(bo.row(accounts.lin.nickName));
  },

  async "reload without a server"({ bo, server, accounts, remarks }) {
    const hasWorker = await bo.evaluate(() => "serviceWorker" in navigator);
    if (hasWorker) {
      await until("the service worker answers for the page", () =>
        bo.evaluate(() => navigator.serviceWorker.controller?.state === "activated"),
      );
      // It keeps the pictures that are loaded from now on.
      await bo.browser.reload();
      await expectPicture(bo);
    } else remarks.push("no service worker, so the page was not reloaded");
    await server.stop();
    if (hasWorker) await bo.browser.reload();
    await bo.see(bo.row(accounts.lin.nickName));
    await bo.see(bo.message("notes.txt"));
    await expectPicture(bo);
  },

  async "write without a server"({ bo, server, accounts: { lin, bo: account } }) {
    await bo.send("写于离线");
    await bo.see(bo.message("写于离线"));
    await server.start();
    await expectStoredOnce(lin, account, "写于离线");
    await sleep(TWICE_MS);
    await expectStoredOnce(lin, account, "写于离线");
    await bo.see(bo.message("写于离线"));
    await bo.see({ css: "[role=img]", name: bo.t("chat.sending") }, 0);
  },
};

/** Makes the journey with a browser, and closes it. The report has the name. */
export async function runMainJourney(name: string, launch: () => Promise<Driver>): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "parley-journey-"));
  const server = await startServer();
  const violations: string[] = [];
  const remarks: string[] = [];
  let done = 0;
  let browser: Driver | undefined;
  try {
    const accounts = {
      lin: await createAccount(server.url, "lin", "林晓"),
      bo: await createAccount(server.url, "bo", "Bo"),
    };
    await befriend(accounts.lin, accounts.bo);
    await sendText(accounts.lin, accounts.bo, OLD_TEXT);
    await sendLongConversation(accounts.lin, accounts.bo, MESSAGES_SINCE);
    browser = await launch();
    const bo = new Visitor(browser, "en-US");
    for (const [title, step] of Object.entries(STEPS)) {
      try {
        await step({ bo, server, accounts, folder, remarks });
      } catch (error) {
        // What follows depends on it.
        violations.push(`${title}: ${String(error)}; the page shows ${await bo.describePage()}`);
        break;
      }
      done++;
    }
    violations.push(...(await browser.errors()));
  } finally {
    await browser?.close();
    await server.dispose();
    await rm(folder, { recursive: true });
  }
  const steps = `${done} of ${Object.keys(STEPS).length} steps`;
  return { name, done: [browser.name, steps, ...remarks].join(", "), violations };
}

/** Chooses a file by the menu of the composer and sends it. */
async function sendFile({ bo, folder }: Scene, item: string, name: string, bytes: Buffer): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  // Messages have a button of this name as well.
  await bo.click({ css: "form button", name: bo.t("chat.more") });
  await bo.see({ css: "[role=menu]" });
  await bo.browser.chooseFile(() => bo.click(bo.menuItem(item)), path);
  await bo.see({ css: "[data-strip] [data-tile]" });
  await bo.click(bo.field("chat.placeholder"));
  await bo.browser.press("Enter");
  await bo.see({ css: "[data-strip] [data-tile]" }, 0);
}

/** Waits until the conversation shows the picture. */
async function expectPicture(bo: Visitor): Promise<void> {
  await until("the picture is shown", async () => {
    const [width = 0] = await bo.evaluate(pictureWidths, "[role=log]");
    return width > 0;
  });
}

async function openSettings(bo: Visitor, tab: string): Promise<void> {
  await bo.click(bo.button("nav.menu"));
  await bo.click(bo.menuItem("menu.settings"));
  await bo.click({ css: "[role=tab]", name: bo.t(tab) });
}

async function closeDialog(bo: Visitor): Promise<void> {
  await bo.browser.press("Escape");
  await bo.see({ css: "[role=dialog]" }, 0);
}

async function expectStored(account: Account, type: MessageType): Promise<void> {
  await until(`the server has a message of type ${type}`, async () => {
    const rows = await account.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
    return rows.some((row) => row.type === type);
  });
}

async function expectStoredOnce(reader: Account, from: Account, text: string): Promise<void> {
  await until(`the server has "${text}" exactly once`, async () => {
    const texts = await receivedTexts(reader, from);
    return texts.filter((one) => one === text).length === 1;
  });
}

/** Runs in the page: the widths of the pictures of messages that are loaded, 0 for others. */
function pictureWidths(css: string): number[] {
  return [...document.querySelectorAll<HTMLImageElement>(`${css} [data-picture] img`)].map(
    ({ naturalWidth }) => naturalWidth,
  );
}
