import { expect, test as base } from "@playwright/test";
import type { GroupVO } from "@parley/protocol/entities";
import { type Account, befriend, createAccount, sendLongConversation } from "./api.ts";
import { createGroup } from "./groups.ts";
import { Person, type PersonOptions } from "./person.ts";
import { type RunningServer, startServer } from "./server.ts";
import { TimelineView } from "./timeline-view.ts";
import { fillConversations, type Conversations } from "./conversations.ts";

/** Two friends, registered over HTTP. */
export interface Friends {
  readonly lin: Account;
  readonly bo: Account;
}

/** Two friends at their browsers. */
export interface Pair {
  readonly lin: Person;
  readonly bo: Person;
}

/** Three friends in a group that Lin owns. */
export interface Team {
  readonly group: GroupVO;
  readonly accounts: Friends & { readonly mei: Account };
  readonly lin: Person;
  readonly bo: Person;
  readonly mei: Person;
}

/** The fixtures of one test. */
export interface Fixtures {
  /** Configuration of a server for this test alone, with an empty store. If null, tests share a server. */
  ownServer: Record<string, string> | null;
  /** Conversations that the server of this test contains at its start. Tests of a file with equal conversations share a server. */
  conversations: Conversations | null;
  server: RunningServer;
  /** Names that no other test uses on a shared server. */
  cast: { lin: PersonOptions; bo: PersonOptions; mei: PersonOptions; other(name: string): PersonOptions };
  /** Opens a fresh browser profile at the login screen. */
  openLogin(options: PersonOptions): Promise<Person>;
  /** Opens a fresh browser profile without loading a page. */
  openBrowser(options: PersonOptions): Promise<Person>;
  /** Opens a fresh browser profile and logs in. The account must exist. */
  openSignedIn(options: PersonOptions): Promise<Person>;
  friends: Friends;
  /** Sends Bo many messages of Lin and opens them in Bo's browser. */
  openConversation(
    messageCount: number,
    options?: Partial<PersonOptions>,
  ): Promise<{ bo: Person; view: TimelineView }>;
  /** The two friends, logged in at browsers: 林晓 reads zh-CN, Bo en-US. Each browser takes seconds: request only those you need. */
  lin: Person;
  bo: Person;
  /** Both of them. */
  pair: Pair;
  /** Both of them, with their conversation open. */
  chatting: Pair;
  /** Three people with the conversation of their group open. The third one, 美玲, reads zh-TW. */
  team: Team;
}

let castCount = 0;

/** The fixtures that the tests of one worker share. */
export interface SharedFixtures {
  sharedServer: RunningServer;
  /** Returns the server that contains these conversations at its start. */
  conversationServer(conversations: Conversations): Promise<RunningServer>;
}

/** The `test` function of all browser tests. */
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
      const servers = new Map<string, RunningServer>();
      await use(async (wanted) => {
        const key = JSON.stringify(wanted);
        const running = servers.get(key);
        if (running !== undefined) return running;
        const server = await startServer({}, (dataDir) => fillConversations(dataDir, wanted));
        servers.set(key, server);
        return server;
      });
      await Promise.all([...servers.values()].map((server) => server.dispose()));
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
    const suffix = `${process.pid.toString(36)}${(++castCount).toString(36)}`;
    await use({
      lin: { language: "zh-CN", userName: `lin${suffix}`, nickName: `林晓${suffix}` },
      bo: { language: "en-US", userName: `bo${suffix}`, nickName: `Bo ${suffix}` },
      mei: { language: "zh-TW", userName: `mei${suffix}`, nickName: `美玲${suffix}` },
      other: (name) => ({ language: "en-US", userName: `${name}${suffix}`, nickName: `${name} ${suffix}` }),
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
  openConversation: async ({ friends, cast, openSignedIn }, use) => {
    await use(async (messageCount, options) => {
      await sendLongConversation(friends.lin, friends.bo, messageCount);
      const bo = await openSignedIn({ ...cast.bo, ...options });
      await bo.openChat(cast.lin.nickName);
      return { bo, view: new TimelineView(bo) };
    });
  },
  lin: async ({ friends: _, cast, openSignedIn }, use) => use(await openSignedIn(cast.lin)),
  bo: async ({ friends: _, cast, openSignedIn }, use) => use(await openSignedIn(cast.bo)),
  pair: async ({ friends: _, cast, openSignedIn }, use) => {
    const [lin, bo] = await Promise.all([openSignedIn(cast.lin), openSignedIn(cast.bo)]);
    await use({ lin, bo });
  },
  chatting: async ({ pair: { lin, bo }, cast }, use) => {
    await bo.openChat(cast.lin.nickName);
    await lin.openChat(cast.bo.nickName);
    await use({ lin, bo });
  },
  team: async ({ friends, cast, server, openSignedIn }, use) => {
    const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
    for (const friend of [friends.lin, friends.bo]) await befriend(friend, mei);
    const group = await createGroup(friends.lin, `三人行 ${cast.lin.userName}`, [friends.bo, mei]);
    const people = await Promise.all([cast.lin, cast.bo, cast.mei].map((options) => openSignedIn(options)));
    await Promise.all(people.map((person) => person.openChat(group.name)));
    const [first, second, third] = people;
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error("the three browsers were not opened");
    }
    await use({ group, accounts: { ...friends, mei }, lin: first, bo: second, mei: third });
  },
});
export { expect };
