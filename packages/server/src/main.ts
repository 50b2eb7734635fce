/** Entry of the server. */
import { runUntilSignal } from "./run-until-signal.ts";

runUntilSignal();
