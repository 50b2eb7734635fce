import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNodeGroup } from "@parley/reliability/faults/node-group";
import { findPostgres } from "@parley/server/testing/postgres-cluster";
import { isRedisMissing } from "@parley/server/testing/redis-server";
import { befriend, createAccount } from "../src/api.ts";
import { connectCall, hangUp, timer } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";
import { Person } from "../src/person.ts";
import { expectOnline } from "../src/presence.ts";

test.skip(
  isRedisMissing || findPostgres() === undefined,
  "Redis or PostgreSQL is not installed and could not be",
);

test("people on two servers see each other as on one, also what was written while Redis was away", async ({
  browser,
  cast,
}) => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), "parley-nodes-"));
  const group = await startNodeGroup({ dataDir: folder, count: 2 });
  try {
    const [here, there] = group.nodes.map(({ process }) => process.url);
    if (here === undefined || there === undefined) throw new Error("there are no two nodes");
    const account = await createAccount(here, cast.lin.userName, cast.lin.nickName);
    const other = await createAccount(there, cast.bo.userName, cast.bo.nickName);
    await befriend(account, other);
    const lin = await Person.create(browser, here, cast.lin);
    const bo = await Person.create(browser, there, cast.bo);
    for (const [person, friend] of [
      [lin, cast.bo],
      [bo, cast.lin],
    ] as const) {
      await person.openAndLogIn();
      await person.openChat(friend.nickName);
      if (person === lin) await expectOnline(other, account);
    }
    // Bo has come after Lin. She asks again who is online after a while only.
    await expect(bo.page.getByRole("main").getByText(bo.t("presence.desktop"))).toBeVisible();

    await lin.send("tomorow");
    await bo.expectMessage("tomorow");
    await expect(lin.page.getByRole("log").getByText(lin.t("chat.read"), { exact: true })).toBeVisible();
    await lin.runMessageAction("tomorow", "act.edit");
    await lin.field("chat.editing").fill("tomorrow");
    await lin.page.keyboard.press("Enter");
    await bo.expectTexts(["tomorrow"]);
    await lin.runMessageAction("tomorrow", "act.recall");
    await expect(
      bo.page.getByRole("log").getByText(bo.t("tip.recalled", { name: cast.lin.nickName })),
    ).toBeVisible();

    await connectCall(lin, bo);
    await hangUp(bo);
    await expect(timer(lin)).toHaveCount(0);

    await group.redis.stop();
    await bo.send("without Redis");
    await lin.expectMessage("without Redis");
    await group.redis.start();
    await lin.send("with Redis again");
    await bo.expectMessage("with Redis again");
    for (const person of [lin, bo]) {
      expect(person.console.unexpectedErrors()).toEqual([]);
      await person.context.close();
    }
  } finally {
    await group.close();
    await rm(folder, { recursive: true, force: true });
  }
});
