/** The one way to every call for administrators, over HTTP and from the command line: it knows who acts on what, and records looks and refusals. */
import type { AnswerOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { recordAct } from "../../access/administration.ts";
import type {
  Act,
  ActTarget,
  AdminActor,
  AdminEndpointName,
  AdminHandlers,
  AdminInput,
} from "../../api/admin-act.ts";
import { ApiError } from "../../api/api-error.ts";
import type { AdminWrites } from "../../ports/admin-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { ACT_RULES } from "./act-rules.ts";

/** The same look of the same administrator is recorded once in this time, because pages load again and again. */
const LOOK_MS = 3_600_000;
const LOOKS_MAX = 10_000;

export interface AdminCallsDeps {
  store: Transactions<Pick<AdminWrites, "insertAudit">>;
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
  /** An act from the command line that is no call. */
  actOf(action: Act["action"], by: AdminActor): Act;
  /** Records that somebody looks at something without a call. */
  recordLook(action: Act["action"], by: AdminActor): Promise<void>;
  /** Records an act from the command line that changes no row itself. */
  record(action: Act["action"], by: AdminActor, target: ActTarget): Promise<void>;
}

type UntypedHandler = (act: Act, input: unknown) => Promise<unknown>;
type UntypedRule = { isLook: boolean; target(input: unknown): ActTarget | null };

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
    isLook = false,
    target: ActTarget | null = null,
  ): Act => ({
    ...by,
    action,
    isLook,
    target,
    at: now(),
  });

  return {
    actOf: (action, by) => actOf(action, by),
    recordLook: (action, by) => writeLook(actOf(action, by, true)),
    record: (action, by, target) => store.write((tx) => recordAct(tx, actOf(action, by, false, target))),
    async perform(name, by, input) {
      const rule: UntypedRule = ACT_RULES[name];
      const act = actOf(name, by, rule.isLook, rule.target(input));
      if (act.isLook) await writeLook(act);
      const handler = handlers[name] as unknown as UntypedHandler;
      try {
        return (await handler(act, input)) as AnswerOf<(typeof ENDPOINTS)[typeof name]>;
      } catch (error) {
        if (!act.isLook && error instanceof ApiError)
          await store.write((tx) => recordAct(tx, act, { outcome: error.key }));
        throw error;
      }
    },
  };
}
