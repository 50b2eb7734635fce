import type { AnswerOf, CallInput, Endpoint } from "@parley/protocol/endpoint";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type { Failure, Result } from "../model/state.ts";
import { type Api, isUnanswered } from "./api.ts";

/** Error keys that mean "already done", each with the value that replaces the lost answer. */
export type AlreadyDone<A> = { readonly [key in DomainErrorKey]?: A };

/**
 * A call that a person may repeat after its answer was lost. If the server refuses the repeat because it is already done, the first call
 * has done it: the repeat succeeds and no failure is reported.
 */
export type IdempotentCall = <E extends Endpoint, A>(
  endpoint: E,
  input: CallInput<E>,
  alreadyDone: AlreadyDone<A>,
  options?: { silent?: boolean },
) => Promise<Result<AnswerOf<E> | A>>;

/** Creates an {@link IdempotentCall}. */
export function createIdempotentCall(api: Api): IdempotentCall {
  /** Calls whose last try got no answer. */
  const unanswered = new Set<string>();
  return async <E extends Endpoint, A>(
    endpoint: E,
    input: CallInput<E>,
    alreadyDone: AlreadyDone<A>,
    options: { silent?: boolean } = {},
  ): Promise<Result<AnswerOf<E> | A>> => {
    const callKey = `${endpoint.path} ${JSON.stringify(input)}`;
    const wasUnanswered = unanswered.delete(callKey);
    const replacementFor = (failure: Failure): { value: A } | null => {
      if (!wasUnanswered || failure.kind !== "refused" || failure.key === null) return null;
      const value = alreadyDone[failure.key];
      return value === undefined ? null : { value };
    };
    const isExpectedError = (failure: Failure) => replacementFor(failure) !== null;
    const result = await api.call(endpoint, input, { ...options, isExpectedError });
    if (result.ok) return result;
    const replacement = replacementFor(result.failure);
    if (replacement !== null) return { ok: true, ...replacement };
    if (isUnanswered(result.failure)) unanswered.add(callKey);
    return result;
  };
}
