import { expect, test, vi } from "vitest";
import { claimSound, releaseSound } from "./sound-focus.ts";

test("B15 what begins to play stops what played before", () => {
  const [voice, video] = [vi.fn(), vi.fn()];
  claimSound(voice);
  claimSound(voice);
  expect(voice).not.toHaveBeenCalled();
  claimSound(video);
  expect(voice).toHaveBeenCalledOnce();
  releaseSound(voice);
  claimSound(voice);
  expect(video).toHaveBeenCalledOnce();
  releaseSound(voice);
  claimSound(video);
  expect(voice).toHaveBeenCalledOnce();
});
