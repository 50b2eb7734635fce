import type { AnswerOf, CallInput, Endpoint } from "@parley/protocol/endpoint";
import type { RefusalKey } from "@parley/protocol/envelope";
import type { Failure, Result } from "../model/state.ts";
import { type Api, isUnanswered } from "./api.ts";

/** Refusals that say that it is so already, with what stands in place of the answer that was lost. */
export type Already<A> = { readonly [key in RefusalKey]?: A };

/**
 * A call that a person makes again because its answer was lost: if the server then says that it is so already, the first one has done
 * it, and nobody is told of a refusal.
 */
export type Redo = <E extends Endpoint, A>(
  endpoint: E,
  input: CallInput<E>,
  already: Already<A>,
  options?: { quiet?: boolean },
) => Promise<Result<AnswerOf<E> | A>>;

export function createRedo(api: Api, me: () => number): Redo {
  /** Deeds of whose last try nothing is known. */
  const lost = new Set<string>();
  return async <E extends Endpoint, A>(
    endpoint: E,
    input: CallInput<E>,
    already: Already<A>,
    options: { quiet?: boolean } = {},
  ): Promise<Result<AnswerOf<E> | A>> => {
    const deed = `${me()} ${endpoint.path} ${JSON.stringify(input)}`;
    const wasLost = lost.delete(deed);
    const standsFor = (failure: Failure): { value: A } | null => {
      if (!wasLost || failure.kind !== "refused" || failure.key === null) return null;
      const value = already[failure.key];
      return value === undefined ? null : { value };
    };
    const excuse = (failure: Failure) => standsFor(failure) !== null;
    const result = await api.call(endpoint, input, { ...options, excuse });
    if (result.ok) return result;
    const done = standsFor(result.failure);
    if (done !== null) return { ok: true, ...done };
    if (isUnanswered(result.failure)) lost.add(deed);
    return result;
  };
}
