/** Broadcasts on the real server: what the friends and the other devices of the sender see. */
import type { BroadcastFile } from "@parley/core/broadcast/broadcast-attachments";
import { MessageType } from "@parley/protocol/codes";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ScriptedSimulation, createScriptedSimulation } from "./scripted-simulation.ts";
import { simulatedFile } from "./simulated-files.ts";
import { failRequest } from "./simulated-network.ts";
import type { SimulatedDevice } from "./simulation.ts";

const ANN = 1;
/** Bob, Eve and Dan. */
const FRIENDS = [2, 3, 4];

let scripted: ScriptedSimulation;
let ann: SimulatedDevice;
let annsOther: SimulatedDevice;
let friends: SimulatedDevice[];

beforeEach(async () => {
  scripted = await createScriptedSimulation({ hasFiles: true });
  ann = await scripted.startDevice("ann");
  friends = [];
  for (const name of ["bob", "eve", "dan"]) friends.push(await scripted.startDevice(name));
  annsOther = await scripted.startDevice("ann");
  for (const friend of friends) await befriend(friend);
});
afterEach(() => scripted.close());

async function befriend(friend: SimulatedDevice): Promise<void> {
  void friend.client.contacts.apply(ANN, "");
  await scripted.deliver();
  for (const { id } of ann.client.getState().contacts.requests) void ann.client.contacts.approve(id);
  await scripted.deliver();
}

/** The content of the messages between Ann and somebody, as a device has them; files by their names. */
function received(device: SimulatedDevice, other: number): string[] {
  const messages = device.client.getState().chats.byKey[`PRIVATE:${other}`]?.window.messages ?? [];
  return messages
    .filter(({ type }) => type === MessageType.TEXT || type === MessageType.FILE)
    .map(({ type, content }) =>
      type === MessageType.TEXT ? content : (JSON.parse(content) as { name: string }).name,
    );
}

/** The messages of the store in the order of their ids: "text to 2". */
function stored(): string[] {
  const rows = scripted.simulation.rawDb
    .prepare<[], { content: string; type: number; recvId: number }>(
      "select content, type, recvId from message where sendId = 1 and type in (0, 2) order by id",
    )
    .all();
  return rows.map(
    ({ content, type, recvId }) =>
      `${type === MessageType.TEXT ? content : (JSON.parse(content) as { name: string }).name} to ${recvId}`,
  );
}

const states = (device = ann) =>
  device.client.getState().broadcast.run?.recipients.map(({ userId, state }) => `${userId} ${state}`);

/** Lets the broadcast run for this long. */
async function run(ms = 2_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) await scripted.advance(50);
}

/** Loses the next answers to messages of Ann. Returns how many of her messages were answered. */
function loseAnswers(count: number): () => number {
  let answers = 0;
  scripted.simulation.onAnswer = (device, { name, answer }) => {
    if (device !== ann || name !== "sendPrivateMessage") return;
    answers++;
    if (answers > count) return;
    const exchange = device.ports.http.waiting.find((one) => one.answer === answer);
    if (exchange === undefined) throw new Error("there is no such request");
    scripted.simulation.requests.delete(exchange);
    failRequest(device, exchange);
  };
  return () => answers;
}

const fileNamed = (name: string): BroadcastFile => ({
  type: MessageType.FILE,
  name,
  mimeType: "text/plain",
  file: simulatedFile(name),
});

function start(text: string): void {
  ann.client.broadcast.select(FRIENDS);
  ann.client.broadcast.setText(text);
  ann.client.broadcast.send();
}

test("BR4 each part goes to all friends in turn, and all devices of both show it", async () => {
  ann.client.broadcast.attach([fileNamed("a.txt"), fileNamed("b.txt")]);
  await scripted.deliver();
  start("hello");
  await run();
  const parts = ["hello", "a.txt", "b.txt"];
  expect(stored()).toEqual(parts.flatMap((part) => FRIENDS.map((id) => `${part} to ${id}`)));
  for (const friend of friends) expect(received(friend, ANN)).toEqual(parts);
  for (const device of [ann, annsOther])
    for (const id of FRIENDS) expect(received(device, id)).toEqual(parts);
  // Each file was uploaded once.
  expect(scripted.simulation.rawDb.prepare("select count(*) from file").pluck().get()).toBe(2);
});

test("BR7 after lost answers nobody gets a message twice", async () => {
  const answers = loseAnswers(3);
  start("hello");
  await run(20_000);
  expect(states()).toEqual(["2 sent", "3 sent", "4 sent"]);
  expect(answers()).toBe(6);
  expect(stored()).toEqual(["hello to 2", "hello to 3", "hello to 4"]);
});

test("BR6 only those who were no friends are tried again", async () => {
  const [bob, eve] = friends;
  // Ann has selected Eve, who ends the friendship before Ann sends.
  ann.client.broadcast.select(FRIENDS);
  void eve?.client.contacts.remove(ANN);
  await scripted.deliver();
  start("too late");
  await run();
  expect(states()).toEqual(["2 sent", "4 sent"]);

  await befriend(eve!);
  start("hello");
  // Blocking changes nothing that Ann sees before she writes.
  void eve?.client.contacts.block(ANN);
  await run();
  expect(states()).toEqual(["2 sent", "3 failed", "4 sent"]);
  expect(ann.client.getState().broadcast.run?.recipients[1]?.failure).toMatchObject({
    key: "message.blockedYou",
  });
  void eve?.client.contacts.unblock(ANN);
  await scripted.deliver();
  ann.client.broadcast.retryFailed();
  await run();
  expect(states()).toEqual(["2 sent", "3 sent", "4 sent"]);
  expect(received(bob!, ANN)).toEqual(["too late", "hello"]);
  expect(received(eve!, ANN)).toEqual(["hello"]);
});

test("BR8 after it was cancelled the others get nothing", async () => {
  start("hello");
  await scripted.deliver();
  ann.client.broadcast.cancel();
  await run();
  expect(states()).toEqual(["2 sent", "3 cancelled", "4 cancelled"]);
  expect(stored()).toEqual(["hello to 2"]);
});
