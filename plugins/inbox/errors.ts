import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  inbox_access_denied: {
    status: 401,
    type: 'authentication_error',
    description: "The program's own sign-in lets this caller see no inbox. Sign in to the program, then reload.",
    message: () => 'You may not see this inbox. Sign in to the application that runs it, then reload.',
  },
  inbox_not_local: {
    status: 403,
    type: 'permission_error',
    description:
      'Without authorize, the inbox answers requests from the machine it runs on. Open it under localhost, or give inboxPlugin an authorize function.',
    message: (details: { reason: string }) =>
      `${details.reason} Without a sign-in, the inbox is for this machine only: open it under http://localhost, or configure access with inboxPlugin({ authorize }). In a container, inboxPlugin({ privateNetworks: true }) admits private networks, and everyone on them.`,
  },
  inbox_cross_site: {
    status: 403,
    type: 'permission_error',
    description: 'A page of another site asked. The inbox answers its own pages, and programs that are no browsers.',
    message: () => 'A page of another site sent this request. The inbox answers its own pages only.',
  },
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
      'The inbox holds no such message, or no longer: messages go after 7 days, and beyond 1,000 a workspace.',
    message: (details: { id: string }) =>
      `The inbox holds no message ${details.id}, or no longer: messages go after 7 days, and beyond 1,000 a workspace.`,
  },
});
