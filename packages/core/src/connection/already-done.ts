import type { AnswerOf, CallInput, Endpoint } from "@parley/protocol/endpoint";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type { Failure, Result } from "../model/state.ts";
import { type Api, isUnanswered } from "./api.ts";

/** Refusals that say that it is so already, with what stands in place of the answer that was lost. */
export type AlreadyDone<A> = { readonly [key in DomainErrorKey]?: A };

/**
 * A call that a person makes again because its answer was lost: if the server then says that it is so already, the first one has done
 * it, and nobody is told of a refusal.
 */
export type IdempotentCall = <E extends Endpoint, A>(
  endpoint: E,
  input: CallInput<E>,
  already: AlreadyDone<A>,
  options?: { silent?: boolean },
) => Promise<Result<AnswerOf<E> | A>>;

export function createIdempotentCall(api: Api, me: () => number): IdempotentCall {
  /** Deeds of whose last try nothing is known. */
  const unanswered = new Set<string>();
  return async <E extends Endpoint, A>(
    endpoint: E,
    input: CallInput<E>,
    already: AlreadyDone<A>,
    options: { silent?: boolean } = {},
  ): Promise<Result<AnswerOf<E> | A>> => {
    const callKey = `${me()} ${endpoint.path} ${JSON.stringify(input)}`;
    const wasUnanswered = unanswered.delete(callKey);
    const resultOf = (failure: Failure): { value: A } | null => {
      if (!wasUnanswered || failure.kind !== "refused" || failure.key === null) return null;
      const value = already[failure.key];
      return value === undefined ? null : { value };
    };
    const isExpectedError = (failure: Failure) => resultOf(failure) !== null;
    const result = await api.call(endpoint, input, { ...options, isExpectedError });
    if (result.ok) return result;
    const done = resultOf(result.failure);
    if (done !== null) return { ok: true, ...done };
    if (isUnanswered(result.failure)) unanswered.add(callKey);
    return result;
  };
}
