import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  post_not_found: notFound(
    'post',
    'GET /v1/social/posts',
    'The workspace has no post with this id on the side of the key. A deleted post can be read for 30 days.',
  ),
  account_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The workspace has no account with this accountRef on the channel. GET /v1/social/networks lists its accounts.',
    message: (details: { channelId: string; accountRef: string }) =>
      `There is no account ${details.accountRef} on ${details.channelId}. GET /v1/social/networks lists the existing ones.`,
  },
  account_ambiguous: {
    status: 422,
    type: 'validation_error',
    description: 'The channel has several connected accounts. Name one of them in targetAccountRefs.',
    message: (details: { channelId: string; accountRefs: readonly string[] }) =>
      `${details.channelId} has several accounts: ${details.accountRefs.join(', ')}. Name one as targetAccountRefs.${details.channelId}.`,
  },
  post_invalid: {
    status: 422,
    type: 'validation_error',
    description:
      'The post has problems, so it cannot go out; there is one detail for each problem. Correct the post first.',
    message: (details: { problems: number; first: string }) =>
      details.problems === 1
        ? `The post cannot go out: ${details.first}`
        : `The post cannot go out; it has ${details.problems} problems. The first: ${details.first}`,
  },
  schedule_at_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The time is in the past, or more than 365 days ahead.',
    message: (details: { field: string }) => `${details.field} must lie between now and 365 days from now.`,
  },
  delete_unsupported: {
    status: 409,
    type: 'conflict_error',
    description:
      'The post is live on a network that does not let programs delete posts, so nothing was deleted. Delete it there by hand.',
    message: (details: { channels: readonly string[] }) =>
      `${details.channels.join(' and ')} cannot delete live posts over the API. Nothing was deleted; delete the post there manually.`,
  },
});
