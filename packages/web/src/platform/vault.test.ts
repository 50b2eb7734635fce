import "fake-indexeddb/auto";
import { afterEach, expect, test, vi } from "vitest";
import { lazyVault } from "./lazy-vault.ts";

afterEach(() => vi.unstubAllGlobals());

test("a sealed secret can be opened, also by another page", async () => {
  const sealed = await lazyVault(null)?.seal("secret 密码");
  expect(sealed).not.toContain("secret");
  expect(await lazyVault(null)?.open(sealed ?? "")).toBe("secret 密码");
});

test("the same secret is sealed differently each time", async () => {
  const vault = lazyVault(null);
  expect(await vault?.seal("x")).not.toBe(await vault?.seal("x"));
});

test("a changed or foreign value cannot be opened", async () => {
  const vault = lazyVault(null);
  const sealed = (await vault?.seal("secret")) ?? "";
  const changed = sealed.startsWith("A") ? `B${sealed.slice(1)}` : `A${sealed.slice(1)}`;
  expect(await vault?.open(changed)).toBeNull();
  expect(await vault?.open("not base64 !")).toBeNull();
});

test("there is no vault on plain http", () => {
  vi.stubGlobal("crypto", { getRandomValues: () => undefined });
  expect(lazyVault(null)).toBeNull();
});
