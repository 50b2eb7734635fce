import { test as base } from "@playwright/test";
import { type Account, befriend, createAccount } from "./api.ts";
import { Person, type PersonOptions } from "./person.ts";
import { type RunningServer, startServer } from "./server.ts";

interface Fixtures {
  /** A server of this test alone, on an empty store. */
  server: RunningServer;
  /** Opens a browser profile at the login screen. */
  visit(options: PersonOptions): Promise<Person>;
  /** Two friends over HTTP: 林晓 and Bo. */
  friends: { lin: Account; bo: Account };
}

export const LIN: PersonOptions = { language: "zh-CN", userName: "linxiao", nickName: "林晓" };
export const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo Madsen" };

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.dispose();
  },
  visit: async ({ browser, server }, use) => {
    const people: Person[] = [];
    await use(async (options) => {
      const person = await Person.open(browser, server.url, options);
      people.push(person);
      return person;
    });
    await Promise.all(people.map((person) => person.context.close()));
  },
  friends: async ({ server }, use) => {
    const lin = await createAccount(server.url, LIN.userName, LIN.nickName);
    const bo = await createAccount(server.url, BO.userName, BO.nickName);
    await befriend(lin, bo);
    await use({ lin, bo });
  },
});
export { expect } from "@playwright/test";
