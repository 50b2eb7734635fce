import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { choose, dropFiles, expectWaiting, png, text, waiting, waitingKinds } from "../src/attachments.ts";
import { expect, test } from "../src/fixtures.ts";
import { Fingers } from "../src/touch.ts";

test("E2 E5 dropped files are sent as pictures or as files, by the zone; a folder is refused with a sentence, and dragged text shows no zones", async ({
  lin,
  cast,
}, testInfo) => {
  const folder = testInfo.outputPath("folder");
  await mkdir(folder);
  const paths = await Promise.all(
    [png("a.png"), text("b.txt"), png("c.png")].map(async ({ name, buffer }) => {
      const path = join(folder, name);
      await writeFile(path, buffer);
      return path;
    }),
  );
  const [a = "", b = "", c = ""] = paths;
  await lin.openChat(cast.bo.nickName);
  const data = await lin.page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "hello");
    return transfer;
  });
  await lin.page.getByRole("log").dispatchEvent("dragenter", { dataTransfer: data });
  await lin.page.getByRole("log").dispatchEvent("dragover", { dataTransfer: data });
  await expect(lin.page.locator("[data-over]")).toHaveCount(0);

  await dropFiles(lin, "picture", [a, b]);
  await expectWaiting(lin, ["a.png", "b.txt"]);
  await dropFiles(lin, "file", [c]);
  await expectWaiting(lin, ["a.png", "b.txt", "c.png"]);
  const fileLabel = lin.t("attach.file").split(" ")[0];
  expect(await waitingKinds(lin)).toEqual([lin.t("attach.picture").split(" ")[0], fileLabel, fileLabel]);

  // A folder among files.
  await dropFiles(lin, "picture", [folder, c]);
  await lin.expectToast(lin.t("attach.folder"));
  await expectWaiting(lin, ["a.png", "b.txt", "c.png", "c.png"]);
});

test("E7 on a phone a long press moves a waiting file, and a finger that does not wait scrolls the strip", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn({ ...cast.lin, viewport: { width: 390, height: 844 }, isTouch: true });
  await lin.row(cast.bo.nickName).tap();
  const names = ["1.png", "2.png", "3.png", "4.png", "5.png", "6.png"];
  await choose(
    lin,
    "attach.pickPicture",
    names.map((name) => png(name)),
  );
  await expectWaiting(lin, names);
  const box = await waiting(lin).nth(0).boundingBox();
  if (box === null) throw new Error("the file is not visible");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const fingers = await Fingers.of(lin);
  const dragged = lin.page.locator("[data-strip] [data-dragged]");
  await fingers.press([x, y]);
  await expect(dragged).toHaveCount(1);
  for (let dx = 10; dx <= 150; dx += 10) await fingers.slide([x + dx, y]);
  await fingers.lift();
  await expectWaiting(lin, ["2.png", "1.png", "3.png", "4.png", "5.png", "6.png"]);
  await expect(lin.page.getByRole("menu")).toHaveCount(0);

  await fingers.move([
    [
      [x + 200, y],
      [x, y],
    ],
  ]);
  const strip = lin.page.locator("[data-strip] ul");
  await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(50);
  await expectWaiting(lin, ["2.png", "1.png", "3.png", "4.png", "5.png", "6.png"]);

  // At its edge the strip scrolls under the file.
  await expect
    .poll(async () => {
      // The strip may still move by the swipe above.
      const before = await strip.evaluate(({ scrollLeft }) => scrollLeft);
      await strip.evaluate((list) => list.scrollTo({ left: 0, behavior: "instant" }));
      return before;
    })
    .toBe(0);
  await fingers.press([x, y]);
  await expect(dragged).toHaveCount(1);
  await fingers.slide([x + 200, y]);
  await fingers.slide([385, y]);
  await expect
    .poll(() => strip.evaluate((list) => list.scrollLeft + list.clientWidth - list.scrollWidth))
    .toBeGreaterThan(-2);
  await fingers.lift();
  await expectWaiting(lin, ["1.png", "3.png", "4.png", "5.png", "6.png", "2.png"]);
});
