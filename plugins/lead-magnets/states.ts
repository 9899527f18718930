// The states of a lead magnet, and the calls that are refused in them.
import { coreErrors } from '../../core/index.ts';
import type { LeadMagnetStatus } from './schema.ts';

interface LeadMagnetState {
  readonly id: string;
  readonly status: LeadMagnetStatus;
}

/** @throws state_conflict while a build runs */
export function checkNotBuilding({ id, status }: LeadMagnetState): void {
  if (status === 'queued' || status === 'building')
    throw coreErrors.state_conflict({
      reason: `The lead magnet ${id} is being written (${status}). Wait until its status is ready: the event lead_magnet.ready or GET /v1/lead-magnets/${id} says so.`,
    });
}

/** @throws state_conflict if there is nothing to export yet */
export function checkReady(row: LeadMagnetState): void {
  checkNotBuilding(row);
  if (row.status !== 'ready')
    throw coreErrors.state_conflict({
      reason: `The lead magnet ${row.id} has no text yet (${row.status}). Compose it with POST /v1/lead-magnets/${row.id}/compose, or give its chapters with PATCH.`,
    });
}
