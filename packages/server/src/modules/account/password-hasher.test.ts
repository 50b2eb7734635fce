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
  expect(await passwordHasher.verify("correct horse", one, noTurn)).toBe(true);
  expect(await passwordHasher.verify("correct horse ", one, noTurn)).toBe(false);
  expect(await passwordHasher.verify("correct horse", undefined, noTurn)).toBe(false);
});
