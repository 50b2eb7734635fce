import { expect, test } from "vitest";
import { OTHER_AUDIT_ACTIONS } from "@parley/protocol/admin-entities";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { AUDIT_ACTIONS } from "./audit-page.tsx";

test("the audit log has a name for every call of administrators and every other act that the server records", () => {
  const calls = Object.entries(ENDPOINTS).flatMap(([name, { auth }]) => (auth === "admin" ? name : []));
  expect(AUDIT_ACTIONS.toSorted()).toEqual([...calls, ...OTHER_AUDIT_ACTIONS].toSorted());
});
