import { expect, test } from "vitest";
import { createLoggedInClient } from "../testing/single-client.ts";

test("S17 sessions are listed and ended", async () => {
  const single = await createLoggedInClient();
  const listed = single.client.account.sessions();
  await single.respond("/user/sessions", []);
  expect(await listed).toEqual({ ok: true, value: [] });
  void single.client.account.endSession("s1");
  void single.client.account.endSession(null);
  expect(single.waiting()).toEqual(["/user/sessions?id=s1", "/user/sessions"]);
});

test("S18 closing the account signs the user out and forgets the saved account", async () => {
  const single = await createLoggedInClient();
  expect(single.client.session.savedAccounts()).toHaveLength(1);
  const closed = single.client.account.unregister("password");
  await single.respond("/unregister", null);
  expect((await closed).ok).toBe(true);
  expect(single.client.getState().session).toEqual({
    kind: "anonymous",
    ended: { reason: "unregistered", text: null },
  });
  expect(single.client.session.savedAccounts()).toEqual([]);
});
