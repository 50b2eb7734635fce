import { expect, test } from "vitest";
import { deleteDialogText } from "./message-dialogs.tsx";

test("the text says who keeps the message, by chat type", () => {
  expect(deleteDialogText("PRIVATE:2", 1)).toBe("compose.deleteBody");
  expect(deleteDialogText("PRIVATE:1", 1)).toBe("compose.deleteSelfBody");
  // The id of a group can be the same as the id of a person.
  expect(deleteDialogText("GROUP:1", 1)).toBe("compose.deleteGroupBody");
});
