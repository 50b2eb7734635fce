import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { createPasswordHasher } from "./password-hasher.ts";

test("a password is stored as Argon2id with 64 MiB and three passes, each with its own salt", async () => {
  const passwordHasher = createPasswordHasher("normal");
  const [one, other] = [
    await passwordHasher.hash("correct horse"),
    await passwordHasher.hash("correct horse"),
  ];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(other.split("$")[4]).not.toBe(one.split("$")[4]);
  const noTurn = () => Promise.resolve();
  expect(await passwordHasher.verify("correct horse", one, noTurn)).toBe("normalized");
  expect(await passwordHasher.verify("correct horse ", one, noTurn)).toBe(false);
  expect(await passwordHasher.verify("correct horse", undefined, noTurn)).toBe(false);
});

test("a password is right in every form, and a hash of what was typed before there was one form stays right", async () => {
  const passwordHasher = createPasswordHasher("low");
  const [composed, decomposed] = ["Pässwörd-Café1", "Pa\u0308sswo\u0308rd-Cafe\u03011"];
  const turns: number[] = [];
  const check = (password: string, hash: string) =>
    passwordHasher.verify(password, hash, async () => void turns.push(1));
  const current = await passwordHasher.hash(decomposed);
  expect(await check(composed, current)).toBe("normalized");
  expect(await check(decomposed, current)).toBe("normalized");
  const old = await hash(decomposed, { memoryCost: 64, timeCost: 1 });
  expect(await check(decomposed, old)).toBe("asTyped");
  expect(await check(`${decomposed}x`, old)).toBe(false);
  // Each counts as one attempt, however many forms are compared.
  expect(turns).toHaveLength(4);
});
