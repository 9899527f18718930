import { defineErrors } from '../../core/index.ts';
import { pageErrors } from '../../core/unstable.ts';

export const errors = defineErrors({
  ...pageErrors('inbox', 'the inbox'),
  inbox_workspace_required: {
    status: 400,
    type: 'validation_error',
    description: 'You may see more workspaces than the inbox shows at once. Name one: ?workspace=ws_…',
    message: (details: { limit: number }) =>
      `There are more than ${details.limit} workspaces. Name one of them: ?workspace=ws_…`,
  },
  inbox_message_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The inbox does not have this message, or no longer has it: messages are deleted after 7 days, and beyond 1,000 per workspace.',
    message: (details: { id: string }) =>
      `The inbox has no message ${details.id}. Messages are deleted after 7 days, and if a workspace has more than 1,000.`,
  },
});
