import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  asset_not_found: notFound('asset', 'GET /v1/assets'),
  asset_invalid: {
    status: 422,
    type: 'validation_error',
    description:
      'The file is broken, too large, of a type that is not accepted, or different from the announced file; or the asset is not ready. The message names the reason.',
    /** `reason`: whole sentences. */
    message: (details: { reason: string }) => details.reason,
  },
  asset_in_use: {
    status: 409,
    type: 'conflict_error',
    description: 'A brand, a published page or post, or a scheduled post uses the asset. Remove it there first.',
    /** `users`: such as `brand brd_…`. */
    message: (details: { id: string; users: readonly string[] }) =>
      `The asset ${details.id} is used by ${details.users.join(', ')}. Remove it there first.`,
  },
  asset_store_unavailable: {
    status: 503,
    type: 'api_error',
    description: 'The asset store did not answer, or none is configured. Nothing was changed. Retry.',
    message: (details: { isConfigured: boolean }) =>
      details.isConfigured
        ? 'The asset store does not answer at the moment. Nothing was changed. Try again shortly.'
        : 'This service has no asset store. The program gives createService one as `assets`, such as fileSystemAssets({ folder }).',
  },
});
