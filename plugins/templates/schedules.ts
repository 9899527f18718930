import type { ScheduleDeclaration } from '../../core/index.ts';

/** Deletes old stored proposals. They are stored only in a service without approvals; otherwise a proposal is an approval request. */
export const removeProposals: ScheduleDeclaration = {
  id: 'templates.proposals',
  description: 'Removes old proposals that no longer wait for a decision.',
  everyMs: 86_400_000,
  async run({ keptSince, purgeByWorkspace }) {
    await purgeByWorkspace('template_proposals', 'created_at', keptSince('template_proposals'));
  },
};
