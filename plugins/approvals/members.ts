// Finds the member for whom a call acts. Keys are bound to members when they are issued; callers in the process name a member.
import type { Actor } from '../../core/index.ts';
import { errors } from './errors.ts';

/** The member for whom the call acts; undefined if the call does not specify one. @throws member_not_allowed */
export function actingMember({ member, members = [] }: Actor, input: string | undefined): string | undefined {
  const allowed = member === undefined ? members : [member];
  if (input === undefined) return allowed.length === 1 ? allowed[0] : undefined;
  if (allowed.includes(input)) return input;
  throw errors.member_not_allowed({
    reason: `This caller may not act for the member ${input}: ${
      allowed.length === 0 ? 'its key is bound to no members' : `it acts for ${allowed.join(', ')}`
    }.`,
  });
}

/** Like `actingMember`, for calls that only a member can make. @throws member_not_allowed */
export function requiredMember(actor: Actor, input: string | undefined): string {
  const uid = actingMember(actor, input);
  if (uid !== undefined) return uid;
  const choice = actor.members ?? [];
  throw errors.member_not_allowed({
    reason:
      choice.length === 0
        ? `Only a member decides: ${actor.keyId === undefined ? 'name one, service.as(workspace, { member })' : 'use a key that is bound to a member'}.`
        : `Say for which member the call acts: actingAsMemberUid is one of ${choice.join(', ')}.`,
  });
}

/** The requesting members: the member for whom the call acts, or all members of its key if it names none. */
export const requestingMembers = (actor: Actor, uid: string | undefined): readonly string[] =>
  uid === undefined ? (actor.members ?? []) : [uid];
