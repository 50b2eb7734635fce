import { expect, test } from "vitest";
import { DEEDS, runLostAnswers } from "./lost-answers.ts";
import { onServer } from "./on-server.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

/** All others are in `npm run test:full`; K2 shows here what they come to after a kill behind their commit. */
const SENDS = OPERATIONS.filter(({ isSend }) => isSend === true);

test("K21 a write whose answer was cut ends as done once when it is done again, and nobody is told that it was refused", async () => {
  const { done, violations } = await onServer((url) =>
    runLostAnswers({ url, operations: SENDS, deeds: DEEDS }),
  );
  process.stdout.write(`K21 ${done}\n`);
  expect(violations).toEqual([]);
}, 300_000);

/** Writes that refuse a repeat and that the client need not do again. */
const NOT_BY_THE_CLIENT = [
  // Its retry logs in, and that is shown by `packages/core`.
  "register",
  // The session is over here before, or together with, the answer.
  "log out",
  "close account",
];

test("K21 whatever refuses a repeat is played by the client too, or it is said why not", () => {
  const refusing = OPERATIONS.filter(({ repeat }) => repeat !== undefined).map(({ name }) => name);
  const played = [...DEEDS.map(({ name }) => name), ...NOT_BY_THE_CLIENT];
  expect(refusing.filter((name) => !played.includes(name))).toEqual([]);
});

test("K21 finds a send without its tmpId, and a refusal that a person is told", async () => {
  let sends = 0;
  let tries = 0;
  const [send] = OPERATIONS;
  if (send === undefined) throw new Error("there is no operation");
  const forgetful: Operation = {
    ...send,
    name: "forgetful",
    act: (scene, fact) => send.act({ ...scene, tag: `${scene.tag}${sends++}` }, fact),
  };
  const { violations } = await onServer((url) =>
    runLostAnswers({
      url,
      operations: [forgetful],
      // The second time it is another deed, so that the refusal is one.
      deeds: [
        {
          name: "delete friend",
          who: "ann",
          act: (ann, { bob, dan }) => ann.contacts.remove(tries++ === 0 ? bob.id : dan.id),
        },
      ],
    }),
  );
  expect(violations.join("\n")).toContain("forgetful: the retry did it again");
  expect(violations.filter((violation) => violation.startsWith("delete friend by the client"))).not.toEqual(
    [],
  );
}, 120_000);
