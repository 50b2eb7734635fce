import { Terminal } from "@parley/protocol/codes";
import { makeReferenceLogin } from "./pairs.ts";
import { befriend, call, clientHeaders, inParallel, makePerson } from "./people.ts";
import type { Crowd } from "./swarm/group-load.ts";

/** How many take new members by one call. */
const INVITED_AT_ONCE = 50;

/** Makes a group on the product whose owner and first members write, and whose other members listen. */
export async function makeCrowd(origin: string, writers: number, members: number): Promise<Crowd> {
  const people = await inParallel(writers + members, 8, (index) => makePerson(origin, `member${index}`));
  const [owner, ...others] = people;
  if (owner === undefined) throw new Error("a group without anybody");
  const headers = clientHeaders(owner.login, Terminal.WEB);
  await inParallel(others.length, 8, async (index) => {
    const other = others[index];
    if (other !== undefined) await befriend(origin, owner, other);
  });
  const { id } = await call<{ id: number }>(origin, "POST", "/group/create", headers, { name: "Crowd" });
  for (let start = 0; start < others.length; start += INVITED_AT_ONCE) {
    const friendIds = others.slice(start, start + INVITED_AT_ONCE).map((other) => other.id);
    await call(origin, "POST", "/group/invite", headers, { groupId: id, friendIds });
  }
  return {
    groupId: id,
    writers: people.slice(0, writers).map((writer) => clientHeaders(writer.login, Terminal.WEB)),
    members: people.slice(writers).map((member) => member.login),
  };
}

/** The same crowd for the reference server, which believes its tokens and knows one group: everybody. */
export function makeReferenceCrowd(secret: string, writers: number, members: number): Crowd {
  const logins = Array.from({ length: writers + members }, (_, index) =>
    makeReferenceLogin(secret, index + 1, index, Terminal.WEB),
  );
  return {
    groupId: 1,
    writers: logins.slice(0, writers).map((login) => clientHeaders(login, Terminal.WEB)),
    members: logins.slice(writers),
  };
}
