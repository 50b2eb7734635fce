import { expect, test, vi } from "vitest";
import { pausePlayers, registerPlayer } from "./register-player.ts";

class Player extends EventTarget {
  readonly pause = vi.fn();
  play(): void {
    this.dispatchEvent(new Event("play"));
  }
}

const create = () => {
  const player = new Player();
  return { player, remove: registerPlayer(player) };
};

test("B15 what begins to play pauses what played before", () => {
  const [voice, video] = [create(), create()];
  voice.player.play();
  voice.player.play();
  expect(voice.player.pause).not.toHaveBeenCalled();
  video.player.play();
  expect(voice.player.pause).toHaveBeenCalledOnce();
  voice.player.play();
  expect(video.player.pause).toHaveBeenCalledOnce();
  expect(voice.player.pause).toHaveBeenCalledOnce();
});

test("B15 a player that was removed neither pauses others nor is paused", () => {
  const [voice, video] = [create(), create()];
  video.player.play();
  video.remove();
  voice.player.play();
  expect(video.player.pause).not.toHaveBeenCalled();
  video.player.play();
  expect(voice.player.pause).not.toHaveBeenCalled();
});

test("B15 what plays is paused for a recording", () => {
  const { player, remove } = create();
  player.play();
  pausePlayers();
  expect(player.pause).toHaveBeenCalledOnce();
  remove();
  pausePlayers();
  expect(player.pause).toHaveBeenCalledOnce();
});
