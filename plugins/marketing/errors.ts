import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  icp_not_found: notFound(
    'ICP',
    'GET /v1/marketing/icps',
    'The workspace has no ICP (ideal customer profile) with this id. GET /v1/marketing/icps lists its ICPs.',
  ),
});
