import type { ScheduleDeclaration } from '../../core/index.ts';

/** Deletes old proposals in a service without approvals. */
export const removeProposals: ScheduleDeclaration = {
  id: 'templates.proposals',
  description: 'Removes proposals that no longer wait for a decision, 400 days after they were made.',
  everyMs: 86_400_000,
  async run({ keptSince, purgeByWorkspace }) {
    await purgeByWorkspace('template_proposals', 'created_at', keptSince('template_proposals'));
  },
};
