import { expect, test as base } from "@playwright/test";
import type { GroupVO } from "@parley/protocol/entities";
import { type Account, befriend, createAccount } from "./api.ts";
import { createGroup } from "./groups.ts";
import { Person, type PersonOptions } from "./person.ts";
import { type RunningServer, startServer } from "./server.ts";
import { fillConversations, type Conversations } from "./conversations.ts";

/** Two friends, registered over HTTP. */
export interface Friends {
  readonly lin: Account;
  readonly bo: Account;
}

export interface Pair {
  readonly lin: Person;
  readonly bo: Person;
}

/** Three friends of each other in a group that the first one owns. */
export interface Team {
  readonly group: GroupVO;
  readonly accounts: Friends & { readonly mei: Account };
  readonly lin: Person;
  readonly bo: Person;
  readonly mei: Person;
}

export interface Fixtures {
  /** Configuration of a server of this test alone, on an empty store; null shares one. */
  ownServer: Record<string, string> | null;
  /** Long conversations that the server of this test begins with: one for all tests of a file that ask for the same ones. */
  conversations: Conversations | null;
  server: RunningServer;
  /** Names that nobody else has on a shared server. */
  cast: { lin: PersonOptions; bo: PersonOptions; mei: PersonOptions; other(name: string): PersonOptions };
  /** A fresh browser profile at the login screen. */
  openLogin(options: PersonOptions): Promise<Person>;
  /** The same, without a page loaded. */
  openBrowser(options: PersonOptions): Promise<Person>;
  /** The same, logged in: somebody who has an account. */
  openSignedIn(options: PersonOptions): Promise<Person>;
  friends: Friends;
  /** One of the two friends, logged in at a browser: 林晓 reads zh-CN, Bo en-US. Each browser costs seconds: ask for those you need. */
  lin: Person;
  bo: Person;
  /** Both of them. */
  pair: Pair;
  /** Three people with the open conversation of their group before them; the third one, 美玲, reads zh-TW. */
  team: Team;
}

let number = 0;

export interface SharedFixtures {
  sharedServer: RunningServer;
  /** The server that begins with these conversations. */
  conversationServer(conversations: Conversations): Promise<RunningServer>;
}

export const test = base.extend<Fixtures, SharedFixtures>({
  sharedServer: [
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.dispose();
    },
    { scope: "worker" },
  ],
  conversationServer: [
    async ({}, use) => {
      const running = new Map<string, RunningServer>();
      await use(async (wanted) => {
        const key = JSON.stringify(wanted);
        const known = running.get(key);
        if (known !== undefined) return known;
        const server = await startServer({}, (dataDir) => fillConversations(dataDir, wanted));
        running.set(key, server);
        return server;
      });
      await Promise.all([...running.values()].map((server) => server.dispose()));
    },
    { scope: "worker" },
  ],
  ownServer: [null, { option: true }],
  conversations: [null, { option: true }],
  server: async ({ ownServer, conversations, conversationServer, sharedServer }, use) => {
    if (conversations !== null) return use(await conversationServer(conversations));
    if (ownServer === null) return use(sharedServer);
    const server = await startServer(ownServer);
    await use(server);
    await server.dispose();
  },
  cast: async ({}, use) => {
    const mark = `${process.pid.toString(36)}${(++number).toString(36)}`;
    await use({
      lin: { language: "zh-CN", userName: `lin${mark}`, nickName: `林晓${mark}` },
      bo: { language: "en-US", userName: `bo${mark}`, nickName: `Bo ${mark}` },
      mei: { language: "zh-TW", userName: `mei${mark}`, nickName: `美玲${mark}` },
      other: (name) => ({ language: "en-US", userName: `${name}${mark}`, nickName: `${name} ${mark}` }),
    });
  },
  openBrowser: async ({ browser, server }, use) => {
    const people: Person[] = [];
    await use(async (options) => {
      const person = await Person.create(browser, server.url, options);
      people.push(person);
      return person;
    });
    await Promise.all(people.map((person) => person.context.close()));
    expect(people.flatMap((person) => person.console.unexpectedErrors())).toEqual([]);
  },
  openLogin: async ({ openBrowser }, use) => {
    await use(async (options) => {
      const person = await openBrowser(options);
      await person.open();
      return person;
    });
  },
  friends: async ({ server, cast }, use) => {
    const [lin, bo] = await Promise.all([
      createAccount(server.url, cast.lin.userName, cast.lin.nickName),
      createAccount(server.url, cast.bo.userName, cast.bo.nickName),
    ]);
    await befriend(lin, bo);
    await use({ lin, bo });
  },
  openSignedIn: async ({ openLogin }, use) => {
    await use(async (options) => {
      const person = await openLogin(options);
      await person.logIn();
      return person;
    });
  },
  lin: async ({ friends: _, cast, openSignedIn }, use) => use(await openSignedIn(cast.lin)),
  bo: async ({ friends: _, cast, openSignedIn }, use) => use(await openSignedIn(cast.bo)),
  pair: async ({ friends: _, cast, openSignedIn }, use) => {
    const [lin, bo] = await Promise.all([openSignedIn(cast.lin), openSignedIn(cast.bo)]);
    await use({ lin, bo });
  },
  team: async ({ friends, cast, server, openSignedIn }, use) => {
    const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
    for (const friend of [friends.lin, friends.bo]) await befriend(friend, mei);
    const group = await createGroup(friends.lin, `三人行 ${cast.lin.userName}`, [friends.bo, mei]);
    const people = await Promise.all([cast.lin, cast.bo, cast.mei].map((options) => openSignedIn(options)));
    await Promise.all(people.map((person) => person.openChat(group.name)));
    const [one, two, three] = people;
    if (one === undefined || two === undefined || three === undefined) throw new Error("nobody came");
    await use({ group, accounts: { ...friends, mei }, lin: one, bo: two, mei: three });
  },
});
export { expect };
