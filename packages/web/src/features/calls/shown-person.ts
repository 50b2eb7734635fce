import type { Call } from "@parley/core/model/calls/call";

/** The person whose picture is shown where there is room for one only: of all who send one, the person who speaks. */
export function shownPerson(call: Call): number | null {
  if (call.kind === "private") return call.peer.isCamera || call.peer.isShareScreen ? call.userId : null;
  const seen = call.people.filter(({ isIn, isCamera, isShareScreen }) => isIn && (isCamera || isShareScreen));
  return (seen.find(({ isSpeaking }) => isSpeaking) ?? seen[0])?.userId ?? null;
}
