// The runs of a person. An export contains them as the API shows them. An erasure ends and clears them; the counts stay.
import type { PersonalData } from '../../core/index.ts';
import { openLocked } from './engine/open-run.ts';
import { endRunEarly } from './engine/store-decision.ts';
import { showRun } from './present.ts';
import { detachContact, runsOfContact } from './store.ts';
import { runRows } from './tables.ts';

/** The maximum number of runs that one transaction erases. */
const batch = 50;

export const personalData: PersonalData = {
  async export(ctx, { personId }, limit) {
    if (personId === null) return { sequence_runs: [] };
    const personRuns = await runRows.page(ctx.trx, { where: { contact_id: personId }, limit });
    const shownRuns: unknown[] = [];
    for (const row of personRuns) shownRuns.push(await showRun(ctx, row));
    return { sequence_runs: shownRuns };
  },

  async erase(ctx, { personId }) {
    if (personId === null) return 'done';
    const runs = await runsOfContact(ctx.trx, personId, batch);
    for (const run of runs) {
      if (run.status !== 'active') continue;
      const opened = await openLocked(ctx, { ...run, variables: {} });
      // The run has no contact any more, so that the event of its end does not identify the person.
      await endRunEarly({ ...opened, contact: undefined }, 'exited', 'contact_erased');
    }
    await detachContact(
      ctx.trx,
      runs.map(({ id }) => id),
    );
    return runs.length < batch ? 'done' : 'more';
  },
};
