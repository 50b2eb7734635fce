import { describe, expect, onTestFinished, test } from "vitest";
import { createTestApp } from "../testing/test-app.ts";

async function startApp(env: Record<string, string>) {
  const app = await createTestApp({ env: { LOG_LEVEL: "info", ...env } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

const idOf = (answer: Response) => answer.headers.get("x-request-id") ?? "";

describe("every answer names its request and the node", () => {
  test("with an id of its own for each request, also of those without an error and outside of the API", async () => {
    const { url } = await startApp({ NODE_NAME: "node-1" });
    const paths = ["/api/globalSetting/load", "/api/login", "/healthz", "/none", "/files/a/b", "/"];
    const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
    for (const answer of answers) {
      expect(idOf(answer)).toMatch(/^[\w-]+$/);
      expect(answer.headers.get("x-node")).toBe("node-1");
    }
    expect(new Set(answers.map(idOf)).size).toBe(paths.length);
  });

  test("and the log has the same id and name in its line about a refused request", async () => {
    const { url, logs } = await startApp({});
    const answer = await fetch(`${url}/api/user/self`, { headers: { accessToken: "wrong" } });
    const line = logs.map((text) => JSON.parse(text) as Record<string, unknown>).find((one) => one["reqId"]);
    expect([line?.["reqId"], line?.["node"]]).toEqual([idOf(answer), answer.headers.get("x-node")]);
  });

  test("with the id that a trusted proxy gave it, if that is well formed", async () => {
    const { url } = await startApp({ TRUST_PROXY: "on" });
    const ask = async (id: string) =>
      idOf(await fetch(`${url}/api/globalSetting/load`, { headers: { "x-request-id": id } }));
    expect(await ask("proxy-7f3a:1.2_b")).toBe("proxy-7f3a:1.2_b");
    for (const id of ["", "a b", "<script>", "a,b", "x".repeat(65)])
      expect([id, await ask(id)]).toEqual([id, expect.stringMatching(/^[0-9a-f]{8}-\w+$/)]);
  });

  test("but not with one that anybody may have made up, without a trusted proxy", async () => {
    const { url } = await startApp({});
    const answer = await fetch(`${url}/healthz`, { headers: { "x-request-id": "made-up" } });
    expect(idOf(answer)).not.toBe("made-up");
  });
});
