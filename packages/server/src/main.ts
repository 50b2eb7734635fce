/** Entry of the server. */
import { runUntilSignal } from "./runtime/run-until-signal.ts";

runUntilSignal();
