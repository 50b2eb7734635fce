import type { Device } from "./device.ts";
import { performFileScenarioAction } from "./scenario-file-actions.ts";
import type { Occurrence, Scenario } from "./scenario-state.ts";

/**
 * What a device of a scenario does beside the one thing of each step, and how likely it is in a step. A new action belongs here: each one
 * changes the course of a scenario, so a recorded seed names those that it was recorded with, and a new one changes no recorded seed.
 * `perform` returns what to count; an action that changes a shared value of the change feed is counted by that.
 */
export const ADDED_ACTIONS = {
  files: { probability: 0.15, perform: performFileScenarioAction },
} satisfies Record<
  string,
  { probability: number; perform(scenario: Scenario, device: Device): Occurrence | null }
>;
/** The name of an added action. */
export type AddedAction = keyof typeof ADDED_ACTIONS;

/** All added actions. */
export const ALL_ADDED = Object.keys(ADDED_ACTIONS) as AddedAction[];
/** All but sending files, which makes a scenario long. */
export const USUALLY_ADDED = ALL_ADDED.filter((name) => name !== "files");
