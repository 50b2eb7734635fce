import { answer, callWindow, expectSentences, hangUp, patient, prompt, timer } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";

test("GC12 GC50 the host of a group's call ends it for all before anybody is in, and after that leaves it to the others, also to people who are still called", async ({
  team: { lin, bo, mei },
  cast,
}) => {
  const start = async () => {
    await lin.button("groupCall.start").click();
    for (const { nickName } of [cast.bo, cast.mei])
      await lin.dialog().getByRole("option", { name: nickName }).click();
    await lin.answerDialog("groups.confirm.call", { count: 2 });
    for (const person of [bo, mei]) await patient(prompt(person)).toBeVisible();
  };

  await start();
  await expectSentences(
    () => hangUp(lin),
    [bo, bo.t("call.end.cancelled")],
    [mei, mei.t("call.end.cancelled")],
  );
  for (const person of [lin, bo, mei]) {
    await expect(prompt(person)).toHaveCount(0);
    await expect(callWindow(person)).toHaveCount(0);
    await expect(person.button("groupCall.join")).toHaveCount(0);
    await person.expectTip("tip.group.callEnded");
  }

  await start();
  await answer(bo);
  // Until they are connected a slow machine may need as long as it rings at Mei.
  const numbers = { count: 2, waiting: 1 };
  await expect(callWindow(lin)).toContainText(lin.t("groupCall.inCallAndWaiting", numbers));
  await expectSentences(() => hangUp(lin), [bo, bo.t("groupCall.left.quit")]);
  // First, because it does not ring for ever.
  await answer(mei);
  await expect(lin.button("groupCall.join").first()).toBeVisible();
  await expect(callWindow(bo)).toBeVisible();
  for (const person of [bo, mei]) await patient(timer(person)).toBeVisible();

  await hangUp(bo);
  for (const person of [lin, bo, mei]) {
    await expect(callWindow(person)).toHaveCount(0);
    await expect(person.button("groupCall.join")).toHaveCount(0);
  }
});
