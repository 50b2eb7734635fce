import { expect, test } from "vitest";
import { checkAvatar } from "./avatar-upload.tsx";

test("an avatar must be jpeg, png or webp", () => {
  for (const type of ["image/jpeg", "image/png", "image/webp"])
    expect(checkAvatar({ type, size: 1 })).toBeNull();
  for (const type of ["image/gif", "image/svg+xml", "application/pdf", ""])
    expect(checkAvatar({ type, size: 1 })).toBe("type");
});

test("an avatar of more than 5 MB is refused", () => {
  expect(checkAvatar({ type: "image/png", size: 5_242_880 })).toBeNull();
  expect(checkAvatar({ type: "image/png", size: 5_242_881 })).toBe("tooLarge");
});
