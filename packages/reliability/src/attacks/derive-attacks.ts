/**
 * The attacks that follow from the definition of an endpoint: each id that it takes is one of somebody else's object. A call that changes
 * something must refuse it with the usual error, and one that reads too, unless it may as well answer that there is nothing.
 */
import { type Endpoint, isWriting } from "@parley/protocol/endpoint";
import { type IdField, type Ids, type Thing, idFieldsOf, idOf } from "@parley/server/testing/id-fields";
import { type Attack, WITHOUT_RIGHT, outsidersGet, sameOutcome } from "./attack-case.ts";
import { type AttackScenario, OUTSIDERS, ROLES } from "./attack-scenario.ts";

/** The objects of the group and its member, of which no attacker may reach one. */
export function idsOf(scenario: AttackScenario): Ids {
  return {
    group: scenario.groupId,
    person: scenario.member.id,
    privateMessage: scenario.ownerPrivateMessageId,
    groupMessage: scenario.memberGroupMessageId,
    notice: scenario.noticeId,
    groupRequest: scenario.groupRequestId,
    friendRequest: scenario.friendRequestId,
  };
}

/** An id field, and what its id names in an attack. */
export interface Target {
  field: IdField;
  thing: Thing;
}

/** How a call that changes something refuses an id of this. */
const REFUSALS: Readonly<Record<Thing, Attack["expected"]>> = {
  group: WITHOUT_RIGHT,
  person: sameOutcome("user.notFound"),
  privateMessage: sameOutcome("message.notFound"),
  groupMessage: outsidersGet("message.notFound"),
  notice: sameOutcome("message.notFound"),
  groupRequest: { ...outsidersGet("group.requestUnknown"), muted: "group.noRight" },
  friendRequest: sameOutcome("friend.requestNotYours"),
};
const NOT_A_FRIEND = sameOutcome("friend.notFriend");

/** The attacks on an endpoint; none if it takes no id, or is for administrators, who may do everything with all ids. */
export function deriveAttacks(endpoint: Endpoint): Attack[] {
  if (endpoint.auth === "admin") return [];
  return targetsOf(endpoint).flatMap((targets) => [
    foreignAttack(endpoint, targets),
    ...mixedAttacks(targets),
  ]);
}

/** What the calls aim at: the required ids, and each optional one in addition. An id that may name several things is tried as each. */
export function targetsOf(endpoint: Endpoint): Target[][] {
  const fields = idFieldsOf(endpoint);
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  return [
    ...(required.length > 0 ? [required] : []),
    ...optional.map((field) => [...required, field]),
  ].flatMap((chosen) =>
    chosen.reduce<Target[][]>(
      (before, field) =>
        before.flatMap((targets) => field.things.map((thing) => [...targets, { field, thing }])),
      [[]],
    ),
  );
}

/** The fields of a call on these targets. */
export function fieldsOf(targets: readonly Target[], ids: Ids): Record<string, unknown> {
  return Object.fromEntries(targets.map(({ field, thing }) => [field.name, idOf(field, thing, ids)]));
}

/** All ids are of objects of others. */
function foreignAttack(endpoint: Endpoint, targets: readonly Target[]): Attack {
  const isOfHidden = targets.every(({ thing }) => thing === "person") && !isOfFriends(endpoint, targets);
  return {
    what: `${textOf(targets)} of others`,
    input: (scenario) =>
      fieldsOf(targets, {
        ...idsOf(scenario),
        ...(isOfHidden && { person: scenario.hidden.id }),
      }),
    expected: refusalOf(endpoint, targets),
  };
}

/** What is one's own, or shared with a friend, together with what is not in it. */
function mixedAttacks(targets: readonly Target[]): Attack[] {
  const has = (wanted: Thing) => targets.some(({ thing }) => thing === wanted);
  const mixedWith = (own: (scenario: AttackScenario) => Partial<Ids>) => (scenario: AttackScenario) =>
    fieldsOf(targets, { ...idsOf(scenario), ...own(scenario) });
  if (has("group"))
    return targets.every(({ thing }) => thing === "group")
      ? []
      : [
          {
            what: `${textOf(targets)} with one's own group`,
            input: mixedWith(({ otherGroupId }) => ({ group: otherGroupId })),
            expected: { otherAdmin: "nothing" },
          },
        ];
  if (!has("person") || !has("privateMessage")) return [];
  return [
    {
      what: `${textOf(targets)} with a friend`,
      input: mixedWith(({ owner }) => ({ person: owner.id })),
      expected: sameOutcome("nothing", ["exMember", "muted"]),
    },
  ];
}

/** What each role gets. Who is in the group may read what is in it; reads about a person may answer that there is nothing. */
function refusalOf(endpoint: Endpoint, targets: readonly Target[]): Attack["expected"] {
  const things = new Set(targets.map(({ thing }) => thing));
  const [subject = "group"] = things.has("group") ? ["group" as const] : things;
  const roles = subject === "group" || subject === "groupMessage" ? OUTSIDERS : ROLES;
  const isCertain =
    targets.every(({ field }) => field.things.length === 1) && (things.size === 1 || subject === "group");
  if (!isCertain) return sameOutcome(isWriting(endpoint) ? "refused" : "nothing", roles);
  if (isWriting(endpoint))
    return subject === "person" && isOfFriends(endpoint, targets) ? NOT_A_FRIEND : REFUSALS[subject];
  if (subject === "person") return sameOutcome("nothing");
  return Object.fromEntries(roles.map((role) => [role, REFUSALS[subject][role]]));
}

/** Whether the person whom a call names must be a friend of the caller. */
function isOfFriends({ path }: Endpoint, targets: readonly Target[]): boolean {
  return targets.some(
    ({ field: { name } }) =>
      /^(friend|recv)Ids?$/.test(name) || (name === "id" && path.startsWith("/friend/")),
  );
}

/** The names of the fields, and what each names if that is not certain. */
export function textOf(targets: readonly Target[]): string {
  return targets
    .map(({ field, thing }) => (field.things.length === 1 ? field.name : `${field.name} (${thing})`))
    .join(" and ");
}
