// The contacts that a publish enrols at once: the contacts in the segment of a trigger with `includeCurrent`. The leash
// of the publishing key counts them.

import type { ReadContext } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import type { SegmentsService } from '../../segments/index.ts';
import type { SequenceTrigger } from '../definition/schema.ts';

/** The maximum number of contacts that one statement reads. */
const pageSize = 500;

/** The segment whose contacts a publish enrols; undefined if it enrols nobody. */
const enrolledSegment = (trigger: SequenceTrigger): string | undefined =>
  trigger.kind === 'segment_entered' && trigger.includeCurrent === true ? trigger.segmentId : undefined;

/** The filter of the contacts; undefined if nobody is enrolled, or if the segment does not exist. */
async function currentFilter({ services, trx }: ReadContext, trigger: SequenceTrigger) {
  const segmentId = enrolledSegment(trigger);
  const segments: SegmentsService | undefined = services.segments;
  if (segmentId === undefined || segments === undefined) return undefined;
  const segment = await segments.find(trx, segmentId);
  return segment === undefined ? undefined : { segments, filter: segment.filter };
}

/** The number of contacts that the publish enrols. */
export async function countCurrent(ctx: ReadContext, trigger: SequenceTrigger): Promise<number> {
  const current = await currentFilter(ctx, trigger);
  return current === undefined ? 0 : current.segments.count(ctx, current.filter);
}

/** The first email domain of these contacts that is not in `allowed`; undefined if all domains are allowed. */
export async function disallowedCurrentDomain(
  ctx: ReadContext,
  trigger: SequenceTrigger,
  allowed: readonly string[],
): Promise<string | undefined> {
  const current = await currentFilter(ctx, trigger);
  if (current === undefined) return undefined;
  for (let after: { readonly createdAt: number; readonly id: string } | undefined, more = true; more; ) {
    const contacts = await current.segments.contactsOf(ctx, current.filter, { after, limit: pageSize });
    const ids = contacts.map(({ id }) => id);
    const contactsById = await ctx.services.contacts.among(ctx.trx, ids);
    const disallowedDomain = outsideDomain(
      [...contactsById.values()].flatMap(({ email }) => email ?? []),
      allowed,
    );
    if (disallowedDomain !== undefined) return disallowedDomain;
    after = contacts.at(-1);
    more = contacts.length === pageSize;
  }
  return undefined;
}
