import type { ChildProcess } from "node:child_process";

/** Functions that a child process serves to its parent, by name. Each has at most one argument. */
export type Calls = Record<string, (argument: never) => unknown>;

/** Calls a function of a child process. */
export type CallChild<C extends Calls> = <N extends keyof C & string>(
  name: N,
  ...argument: Parameters<C[N]>
) => Promise<Awaited<ReturnType<C[N]>>>;

interface Request {
  id: number;
  name: string;
  argument: unknown;
}

type Reply = { id: number; value: unknown } | { id: number; error: string };

const ANSWER_WITHIN_MS = 120_000;

/** Creates a function that calls what the child serves with `serveCalls`. It rejects if the call fails, the child ends, or there is no answer in two minutes. */
export function createCallChild<C extends Calls>(child: ChildProcess): CallChild<C> {
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  let hasEnded = false;
  child.on("message", (reply: Reply) => waiting.get(reply.id)?.(reply));
  child.on("exit", (code) => {
    hasEnded = true;
    for (const [id, settle] of waiting) settle({ id, error: `the process ended with ${String(code)}` });
  });
  return (name, ...argument) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error(`${name}: the process has ended`));
      const id = ++lastId;
      const timer = setTimeout(() => settle({ id, error: "no answer" }), ANSWER_WITHIN_MS);
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        waiting.delete(id);
        if ("error" in reply) reject(new Error(`${name}: ${reply.error}`));
        else resolve(reply.value as never);
      };
      waiting.set(id, settle);
      child.send({ id, name, argument: argument[0] } satisfies Request);
    });
}

/** Serves these functions to the parent process. */
export function serveCalls(calls: Calls): void {
  process.on("message", (request: Request) => {
    const call = calls[request.name] as ((argument: unknown) => unknown) | undefined;
    Promise.resolve()
      .then(() => {
        if (call === undefined) throw new Error("there is no such call");
        return call(request.argument);
      })
      .then(
        (value) => process.send?.({ id: request.id, value } satisfies Reply),
        (error: unknown) => process.send?.({ id: request.id, error: String(error) } satisfies Reply),
      );
  });
}
