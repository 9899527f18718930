// Reads the whole report of a broadcast. Called by the operation and by pages that show it.
import type { WorkspaceHandle } from '../../../core/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { readLift } from '../conversions/lift.ts';
import { countsOf } from '../tallies.ts';
import { readConversions } from './conversions.ts';
import type { BroadcastReport } from './schema.ts';
import { byDomain, byHour, byLink, byVariant } from './store.ts';

/** The report of a broadcast of the handle's side. */
export async function readReportOf(handle: WorkspaceHandle, row: BroadcastRow): Promise<BroadcastReport> {
  const broadcastId = row.id;
  return {
    broadcastId,
    counts: (await countsOf(handle, [broadcastId]))(broadcastId),
    byHour: await byHour(handle, broadcastId),
    byDomain: await byDomain(handle, broadcastId),
    byLink: await byLink(handle, broadcastId),
    byVariant: await byVariant(handle, row),
    experiment: row.experiment,
    conversions: await readConversions(handle, broadcastId),
    lift: await readLift(handle, broadcastId),
  };
}
