import type { ChildProcess } from "node:child_process";

/** Functions that one process offers another, by name, each with at most one argument. */
export type Calls = Record<string, (argument: never) => unknown>;

export type CallChild<C extends Calls> = <N extends keyof C & string>(
  name: N,
  ...argument: Parameters<C[N]>
) => Promise<Awaited<ReturnType<C[N]>>>;

interface Question {
  id: number;
  name: string;
  argument: unknown;
}

type Reply = { id: number; value: unknown } | { id: number; error: string };

const ANSWER_WITHIN_MS = 120_000;

/** Calls what the child offers by `offer`. Rejects when the child fails, ends, or is silent for two minutes. */
export function askChild<C extends Calls>(child: ChildProcess): CallChild<C> {
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  let hasEnded = false;
  child.on("message", (reply: Reply) => waiting.get(reply.id)?.(reply));
  child.on("exit", (code) => {
    hasEnded = true;
    for (const [id, settle] of waiting) settle({ id, error: `the process ended with ${String(code)}` });
  });
  return (name, ...argument) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error(`${name}: the process has ended`));
      const id = ++last;
      const timer = setTimeout(() => settle({ id, error: "no answer" }), ANSWER_WITHIN_MS);
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        waiting.delete(id);
        if ("error" in reply) reject(new Error(`${name}: ${reply.error}`));
        else resolve(reply.value as never);
      };
      waiting.set(id, settle);
      child.send({ id, name, argument: argument[0] } satisfies Question);
    });
}

/** Offers these functions to the parent process. */
export function serveCalls(calls: Calls): void {
  process.on("message", (question: Question) => {
    const call = calls[question.name] as ((argument: unknown) => unknown) | undefined;
    Promise.resolve()
      .then(() => {
        if (call === undefined) throw new Error("not offered");
        return call(question.argument);
      })
      .then(
        (value) => process.send?.({ id: question.id, value } satisfies Reply),
        (error: unknown) => process.send?.({ id: question.id, error: String(error) } satisfies Reply),
      );
  });
}
