import { describe, expect, test } from "vitest";
import { createSingleClient, type SingleClient } from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

describe("a custom server", () => {
  const settings = { userRegisterInviteCode: false, updateAvatarAfterRegister: false };
  const setServer = (single: SingleClient, text: string) => single.client.session.setCustomServer(text);

  test("S14 a custom server is tried under /api, then without it, and saved when it answers", async () => {
    const single = createSingleClient();
    const done = setServer(single, "https://other.example/");
    single.ports.http.replyRaw("other.example/api/", {
      kind: "answer",
      status: 404,
      text: "nothing",
      retryAfterSeconds: null,
    });
    await flushMicrotasks();
    await single.respond("other.example/globalSetting/load", settings);
    expect(await done).toEqual({ ok: true, value: null });
    expect(single.client.session.customServer()).toBe("https://other.example");
    expect(single.client.fileUrl("/files/a/b.png")).toBe("https://other.example/files/a/b.png");
    expect(await setServer(single, " ")).toEqual({ ok: true, value: null });
    expect(single.client.fileUrl("/files/a/b.png")).toBe("https://im.example/files/a/b.png");
  });

  test.each([
    ["not an address", "notAnAddress"],
    ["https://user@host", "notAnAddress"],
    ["http://lan", "plainFromSecure"],
  ])("S14 %s is refused as %s", async (text, problem) => {
    expect(await setServer(createSingleClient(), text)).toEqual({ ok: false, problem });
  });

  test("S14 no answer and the answer of another program are reported differently, and neither server is saved", async () => {
    const single = createSingleClient();
    const silent = setServer(single, "https://a.example");
    single.ports.http.replyRaw("a.example", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    single.ports.http.replyRaw("a.example", { kind: "failed", reason: "offline" });
    expect(await silent).toEqual({ ok: false, problem: "noAnswer" });
    const other = setServer(single, "https://b.example");
    await single.respond("b.example", {});
    await single.respond("b.example", {});
    expect(await other).toEqual({ ok: false, problem: "notParley" });
    expect(single.client.session.customServer()).toBe("");
  });

  test("DT6 the desktop application asks no server before one is typed", async () => {
    const single = createSingleClient({ origin: "app://parley" });
    await single.client.session.loadDisplaySettings();
    expect(single.waiting()).toEqual([]);
    const done = setServer(single, "https://im.example");
    await single.respond("im.example/api/globalSetting/load", settings);
    await done;
    void single.client.session.loadDisplaySettings();
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/globalSetting/load"]);
  });

  test("DT8 a late answer to an earlier address does not replace the server of a later one", async () => {
    const single = createSingleClient({ origin: "app://parley" });
    const earlier = setServer(single, "https://slow.example");
    const later = setServer(single, "https://im.example");
    await single.respond("im.example/api/globalSetting/load", settings);
    expect(await later).toEqual({ ok: true, value: null });
    await single.respond("slow.example/api/globalSetting/load", settings);
    expect(await earlier).toEqual({ ok: false, problem: "noAnswer" });
    expect(single.client.session.customServer()).toBe("https://im.example");
  });

  test("DT8 an address that is asked for again while it is being tried is tried once, and both callers hear the same", async () => {
    const single = createSingleClient({ origin: "app://parley" });
    const asked = [setServer(single, "https://im.example"), setServer(single, " https://im.example/")];
    expect(single.waiting()).toHaveLength(1);
    await single.respond("im.example/api/globalSetting/load", settings);
    expect(await Promise.all(asked)).toEqual([
      { ok: true, value: null },
      { ok: true, value: null },
    ]);
    void setServer(single, "https://im.example");
    expect(single.waiting()).toHaveLength(1);
  });

  test.each([
    ["im.example", ["https://im.example"]],
    ["203.0.113.7:8080", ["https://203.0.113.7:8080"]],
    ["http://im.example", ["http://im.example"]],
    ["192.168.1.20:8080", ["https://192.168.1.20:8080", "http://192.168.1.20:8080"]],
    ["chat.lan", ["https://chat.lan", "http://chat.lan"]],
    ["nas", ["https://nas", "http://nas"]],
    ["[fd00::5]", ["https://[fd00::5]", "http://[fd00::5]"]],
    ["[2001:db8::1]", ["https://[2001:db8::1]"]],
    ["3405803783", ["https://3405803783"]],
    ["0xcb007107", ["https://0xcb007107"]],
    ["im。example。lan", ["https://im。example。lan"]],
  ])("DT7 in the desktop application %s is tried as %j", async (text, origins) => {
    const single = createSingleClient({ origin: "app://parley" });
    const done = setServer(single, text);
    for (const origin of origins) {
      for (const path of ["/api/globalSetting/load", "/globalSetting/load"]) {
        expect(single.waiting()).toHaveLength(1);
        single.ports.http.replyRaw(origin + path, { kind: "failed", reason: "offline" });
        await flushMicrotasks();
      }
    }
    expect(await done).toEqual({ ok: false, problem: "noAnswer" });
    expect(single.client.session.customServer()).toBe("");
  });
});
