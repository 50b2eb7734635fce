/** The one way to every call for administrators, over HTTP and from the command line: it knows who acts on what, and records looks and refusals. */
import type { AnswerOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type AuditTx, recordAct, recordRefused } from "../../access/administration.ts";
import type {
  Act,
  ActTarget,
  AdminActor,
  AdminEndpointName,
  AdminHandlers,
  AdminInput,
} from "../../api/admin-act.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Transactions } from "../../ports/store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { isLook, targetOf } from "./act-rules.ts";

/** The same look of the same administrator is recorded once in this time, because pages load again and again. */
const LOOK_MS = 3_600_000;
const LOOKS_MAX = 10_000;

export interface AdminCallsDeps {
  store: Transactions<AuditTx>;
  handlers: AdminHandlers;
  now(): number;
}

/** Carries out calls for administrators. The caller has checked that the actor is one. */
export interface AdminCalls {
  /** Throws what the use case throws; a refused act is in the audit log too. */
  perform<Name extends AdminEndpointName>(
    name: Name,
    by: AdminActor,
    input: AdminInput<Name>,
  ): Promise<AnswerOf<(typeof ENDPOINTS)[Name]>>;
  /** Carries out an act that is no call, or whose call the command line does not use. A refused one is in the audit log too. */
  run<T>(action: Act["action"], by: AdminActor, work: (act: Act) => Promise<T>): Promise<T>;
  /** Records that somebody looks at something without a call. */
  recordLook(action: Act["action"], by: AdminActor): Promise<void>;
  /** Records an act from the command line that changes no row itself. */
  record(action: Act["action"], by: AdminActor, target: ActTarget): Promise<void>;
}

type UntypedHandler = (act: Act, input: unknown) => Promise<unknown>;

export function createAdminCalls({ store, handlers, now }: AdminCallsDeps): AdminCalls {
  const lastLooks = new Map<string, number>();

  const writeLook = async (act: Act): Promise<void> => {
    const key = JSON.stringify([act.actorId, act.address, act.action, act.target]);
    if (act.at - (lastLooks.get(key) ?? -Infinity) < LOOK_MS) return;
    try {
      await store.write((tx) => recordAct(tx, act));
    } catch (error) {
      // An administrator has to see a server whose disk is full. Nothing was changed that would have to be recorded.
      if (error instanceof StoreUnavailableError) return;
      throw error;
    }
    if (lastLooks.size >= LOOKS_MAX) lastLooks.clear();
    lastLooks.set(key, act.at);
  };

  const actOf = (
    action: Act["action"],
    by: AdminActor,
    isLookOnly = false,
    target: ActTarget | null = null,
  ): Act => ({
    ...by,
    action,
    isLook: isLookOnly,
    target,
    at: now(),
  });

  const recordingErrors = async <T>(act: Act, work: (act: Act) => Promise<T>): Promise<T> => {
    try {
      return await work(act);
    } catch (error) {
      if (!act.isLook && error instanceof ApiError)
        await store.write((tx) => recordRefused(tx, act, error.key));
      throw error;
    }
  };

  return {
    run: (action, by, work) => recordingErrors(actOf(action, by), work),
    recordLook: (action, by) => writeLook(actOf(action, by, true)),
    record: (action, by, target) => store.write((tx) => recordAct(tx, actOf(action, by, false, target))),
    async perform(name, by, input) {
      const act = actOf(name, by, isLook(name), targetOf(name, input));
      if (act.isLook) await writeLook(act);
      const handler = handlers[name] as unknown as UntypedHandler;
      return (await recordingErrors(act, () => handler(act, input))) as AnswerOf<
        (typeof ENDPOINTS)[typeof name]
      >;
    },
  };
}
