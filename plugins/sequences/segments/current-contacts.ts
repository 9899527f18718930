// The contacts that a publish enrols at once: the contacts in the segment of a trigger with `includeCurrent`. For the leash of
// the publishing key.

import type { ReadContext } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import type { SegmentsService } from '../../segments/index.ts';
import type { SequenceTrigger } from '../definition/schema.ts';

/** How many contacts one statement reads. */
const page = 500;

/** The segment whose contacts a publish enrols; undefined if it enrols nobody. */
const enrolledSegment = (trigger: SequenceTrigger): string | undefined =>
  trigger.kind === 'segment_entered' && trigger.includeCurrent === true ? trigger.segmentId : undefined;

/** The filter of the contacts; undefined if nobody is enrolled, or if the segment does not exist. */
async function currentFilter({ services, trx }: ReadContext, trigger: SequenceTrigger) {
  const segmentId = enrolledSegment(trigger);
  const segments: SegmentsService | undefined = services.segments;
  if (segmentId === undefined || segments === undefined) return undefined;
  const found = await segments.find(trx, segmentId);
  return found === undefined ? undefined : { segments, filter: found.filter };
}

/** How many contacts the publish enrols. */
export async function countCurrent(ctx: ReadContext, trigger: SequenceTrigger): Promise<number> {
  const current = await currentFilter(ctx, trigger);
  return current === undefined ? 0 : current.segments.count(ctx, current.filter);
}

/** The domain of one of these contacts that is not allowed; undefined if there is none. */
export async function currentOutside(
  ctx: ReadContext,
  trigger: SequenceTrigger,
  allowed: readonly string[],
): Promise<string | undefined> {
  const current = await currentFilter(ctx, trigger);
  if (current === undefined) return undefined;
  for (let after: { readonly createdAt: number; readonly id: string } | undefined, more = true; more; ) {
    const found = await current.segments.contactsOf(ctx, current.filter, { after, limit: page });
    const ids = found.map(({ id }) => id);
    const contactsById = await ctx.services.contacts.among(ctx.trx, ids);
    const outside = outsideDomain(
      [...contactsById.values()].flatMap(({ email }) => email ?? []),
      allowed,
    );
    if (outside !== undefined) return outside;
    after = found.at(-1);
    more = found.length === page;
  }
  return undefined;
}
