import { randomBytes } from "node:crypto";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { fileContent } from "@parley/protocol/message";
import { expect, type Friends, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const UPLOAD = "**/api/file/upload";

/** Chooses files and sends them. */
async function sendFiles(person: Person, files: readonly { name: string; buffer: Buffer }[]): Promise<void> {
  const opened = person.page.waitForEvent("filechooser");
  await person.sendFromPlusMenu("attach.pickFile");
  await (await opened).setFiles(files.map((file) => ({ ...file, mimeType: "application/octet-stream" })));
  await expect(person.page.locator("[data-strip] [data-tile]")).toHaveCount(files.length);
  await person.composer().press("Enter");
}

/** What the server has of the conversation, oldest first: texts, and names of files. */
async function stored({ lin }: Pick<Friends, "lin">) {
  const rows = await lin.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
  return rows
    .filter(({ type }) => type !== MessageType.TIP_TEXT)
    .map(({ type, content }) =>
      type === MessageType.FILE ? fileContent.parse(JSON.parse(content ?? "")) : { name: content },
    );
}

const button = (person: Person, key: "chat.resend" | "chat.discard") =>
  person.page.getByRole("log").getByRole("button", { name: person.t(key), exact: true });

test("U2 U6 U7 an upload that breaks off fails its message, can be sent again, and arrives with its bytes", async ({
  friends,
  chatting: { lin },
  server,
}) => {
  const [big, small] = [randomBytes(3_000_000), randomBytes(1_000)];
  let isFirst = true;
  await lin.context.route(UPLOAD, (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return route.abort("connectionreset");
  });
  await sendFiles(lin, [{ name: "big.bin", buffer: big }]);
  await expect(button(lin, "chat.resend")).toBeVisible();
  await lin.send("in between");
  await sendFiles(lin, [{ name: "small.bin", buffer: small }]);
  await expect
    .poll(async () => (await stored(friends)).map(({ name }) => name))
    .toEqual(["in between", "small.bin"]);
  await button(lin, "chat.resend").click();
  await expect.poll(async () => (await stored(friends)).map(({ name }) => name)).toContain("big.bin");
  await expect(button(lin, "chat.resend")).toHaveCount(0);
  const url = (await stored(friends))
    .map((file) => ("url" in file && file.name === "big.bin" ? file.url : ""))
    .join("");
  const bytes = Buffer.from(await (await fetch(server.url + url)).arrayBuffer());
  expect(bytes.equals(big)).toBe(true);
});

test("U5 U20 U21 a reload in the middle of an upload fails its message, which can only be discarded", async ({
  friends,
  chatting: { lin },
  cast,
}) => {
  // The request is never answered.
  await lin.context.route(UPLOAD, () => undefined);
  await sendFiles(lin, [{ name: "lost.bin", buffer: randomBytes(5_000) }]);
  await lin.send("behind it");
  await expect(lin.page.getByRole("log").getByText("lost.bin")).toBeVisible();
  await lin.page.reload();
  await lin.context.unroute(UPLOAD);
  await expect(lin.page.getByRole("log").getByText(lin.t("failure.fileLost"))).toBeVisible();
  await expect.poll(async () => (await stored(friends)).map(({ name }) => name)).toEqual(["behind it"]);
  await button(lin, "chat.discard").click();
  await expect(lin.page.getByRole("log").getByText("lost.bin")).toHaveCount(0);
  await lin.page.reload();
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(["behind it"]);
});

test("U51 U52 files of a draft survive a reload with their bytes, and are in the other tab", async ({
  friends,
  chatting: { lin },
  cast,
  server,
}) => {
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  const tiles = (person: Person) => person.page.locator("[data-strip] [data-tile]");
  const data = randomBytes(200_000);
  const opened = lin.page.waitForEvent("filechooser");
  await lin.sendFromPlusMenu("attach.pickFile");
  await (await opened).setFiles({ name: "draft.bin", mimeType: "application/octet-stream", buffer: data });
  await expect(tiles(tab)).toHaveCount(1);
  await lin.page.reload();
  await lin.openChat(cast.bo.nickName);
  await expect(tiles(lin)).toHaveCount(1);
  await tab.composer().press("Enter");
  await expect(tiles(lin)).toHaveCount(0);
  await expect.poll(async () => (await stored(friends)).map(({ name }) => name)).toEqual(["draft.bin"]);
  const url = (await stored(friends)).map((file) => ("url" in file ? file.url : ""))[0];
  const bytes = Buffer.from(await (await fetch(server.url + url)).arrayBuffer());
  expect(bytes.equals(data)).toBe(true);
});
