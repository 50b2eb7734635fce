/** Whether a call for administrators only looks, and at what it is aimed: both follow from its definition and its input. */
import { isWriting } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { ActTarget, AdminEndpointName, AdminInput } from "../../api/admin-act.ts";

type TargetOf<Name extends AdminEndpointName> = (input: AdminInput<Name>) => ActTarget;

/** Calls that are aimed at something of which their input has no id. */
const UNUSUAL_TARGETS: { readonly [Name in AdminEndpointName]?: TargetOf<Name> } = {
  createPerson: ({ body }) => ({ kind: "person", id: null, name: body.userName }),
  saveSettings: () => ({ kind: "settings", id: null, name: null }),
};

const KINDS_OF_IDS = { userId: "person", groupId: "group", reportId: "report" } as const;

/** Whether a call changes nothing. */
export function isLook(name: AdminEndpointName): boolean {
  return !isWriting(ENDPOINTS[name]);
}

/** At what a call is aimed. Null if it is aimed at nothing in particular, or at something that it makes. */
export function targetOf<Name extends AdminEndpointName>(
  name: Name,
  input: AdminInput<Name>,
): ActTarget | null {
  const unusual: TargetOf<Name> | undefined = UNUSUAL_TARGETS[name];
  if (unusual !== undefined) return unusual(input);
  const fields: Readonly<Record<string, unknown>> = { ...input.query, ...input.body };
  for (const [field, kind] of Object.entries(KINDS_OF_IDS)) {
    const id = fields[field];
    if (typeof id === "number") return { kind, id, name: null };
  }
  return null;
}
