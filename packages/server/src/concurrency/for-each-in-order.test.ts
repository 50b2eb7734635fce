import { expect, test } from "vitest";
import { forEachInOrder } from "./for-each-in-order.ts";

test("works on the others when one fails, one after the other, and throws the first error", async () => {
  const done: string[] = [];
  const work = async (item: string): Promise<void> => {
    done.push(`${item} begins`);
    await Promise.resolve();
    if (item !== "b") throw new Error(item);
    done.push(`${item} ends`);
  };
  await expect(forEachInOrder(["a", "b", "c"], work)).rejects.toThrow("a");
  expect(done).toEqual(["a begins", "b begins", "b ends", "c begins"]);
});
