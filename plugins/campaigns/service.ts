// `ctx.services.campaigns`: what pages of other plugins show of planned emails.
import type { WorkspaceHandle } from '../../core/index.ts';
import type { PlannedEmailRow } from './tables.ts';
import { plannedRows } from './tables.ts';

/** The most emails of one answer: a person reads no more. */
const max = 500;

/** Composed with the campaigns plugin. */
export interface CampaignsService {
  /** Planned emails from a time to before another (milliseconds since the epoch), in the order of their dates; at most 500. */
  plannedBetween(handle: WorkspaceHandle, from: number, until: number): Promise<readonly PlannedEmailRow[]>;
}

/** Makes the service. */
export const createCampaignsService = (): CampaignsService => ({
  async plannedBetween(handle, from, until) {
    const rows = await plannedRows.page(handle, {
      where: { status: 'planned' },
      conditions: (columns) => [columns('schedule_at', '>=', from), columns('schedule_at', '<', until)],
      limit: max,
    });
    return rows.sort((one, other) => one.schedule_at - other.schedule_at);
  },
});
