import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../config/config.ts";
import { createTestApp } from "../testing/test-app.ts";
import { createTestCluster } from "../testing/test-cluster.ts";
import { registerPerson } from "../testing/test-person.ts";
import { isPostgresMissing, POSTGRES } from "../testing/test-postgres.ts";
import { TestSocket } from "../testing/test-socket.ts";

const statusOf = async (url: string, path: string) => (await fetch(url + path)).status;

describe("ROLES", () => {
  test("may leave something out only where another node can do it", async () => {
    await expect(createTestApp({ env: { ROLES: "api,gateway" } })).rejects.toThrow(ConfigError);
  });

  test.skipIf(isPostgresMissing)(
    `a node on ${POSTGRES} serves what its roles say, and its health in any case`,
    async () => {
      const cluster = await createTestCluster({ env: { ROLES: "api" }, envOfB: { ROLES: "gateway" } });
      onTestFinished(() => cluster[Symbol.asyncDispose]());
      const { a, b } = cluster;
      for (const { url } of [a, b])
        expect([await statusOf(url, "/healthz"), await statusOf(url, "/readyz")]).toEqual([200, 200]);
      const person = await registerPerson(a.url);
      await expect(TestSocket.open(a.url)).rejects.toThrow("404");
      for (const path of ["/api/user/self", "/files/x", "/docs", "/"])
        expect([path, await statusOf(b.url, path)]).toEqual([path, 404]);

      const socket = await TestSocket.open(b.url);
      socket.login({ accessToken: person.tokens.accessToken });
      await socket.next(({ cmd }) => cmd === 0);
      await person.ok("pullPrivateMessages", { query: { minId: 0 } });
      await socket.next(({ data }) => data?.content === "false");
      socket.close();
    },
  );
});
