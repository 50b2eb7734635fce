import { expect, test } from "vitest";
import { deleteBodyOf } from "./delete-dialog.tsx";

test("who still has a deleted message is told by the kind of chat", () => {
  expect(deleteBodyOf("PRIVATE:2", 1)).toBe("compose.deleteBody");
  expect(deleteBodyOf("PRIVATE:1", 1)).toBe("compose.deleteSelfBody");
  // A group may have the number of a person.
  expect(deleteBodyOf("GROUP:1", 1)).toBe("compose.deleteGroupBody");
});
