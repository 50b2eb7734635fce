import { Terminal } from "@parley/protocol/codes";
import { createReferenceLogin } from "./friend-pairs.ts";
import { befriend, call, clientHeaders, inParallel, createPerson } from "./benchmark-person.ts";
import type { BenchmarkGroup } from "./load/group-load.ts";

/** How many people one call invites. */
const INVITE_BATCH = 50;

/** Creates a group on the product. Its owner and first members write, and its other members receive. */
export async function createBenchmarkGroup(
  origin: string,
  writers: number,
  members: number,
): Promise<BenchmarkGroup> {
  const people = await inParallel(writers + members, 8, (index) => createPerson(origin, `member${index}`));
  const [owner, ...others] = people;
  if (owner === undefined) throw new Error("a group needs at least one person");
  const headers = clientHeaders(owner.login, Terminal.WEB);
  await inParallel(others.length, 8, async (index) => {
    const other = others[index];
    if (other !== undefined) await befriend(origin, owner, other);
  });
  const { id } = await call<{ id: number }>(origin, "POST", "/group/create", headers, { name: "Crowd" });
  for (let start = 0; start < others.length; start += INVITE_BATCH) {
    const friendIds = others.slice(start, start + INVITE_BATCH).map((other) => other.id);
    await call(origin, "POST", "/group/invite", headers, { groupId: id, friendIds });
  }
  return {
    groupId: id,
    writers: people.slice(0, writers).map((writer) => clientHeaders(writer.login, Terminal.WEB)),
    members: people.slice(writers).map((member) => member.login),
  };
}

/** The same group for the reference server, which trusts its tokens and has one group with everybody in it. */
export function createReferenceGroup(secret: string, writers: number, members: number): BenchmarkGroup {
  const logins = Array.from({ length: writers + members }, (_, index) =>
    createReferenceLogin(secret, index + 1, index, Terminal.WEB),
  );
  return {
    groupId: 1,
    writers: logins.slice(0, writers).map((login) => clientHeaders(login, Terminal.WEB)),
    members: logins.slice(writers),
  };
}
