import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  job_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no job with this id on this side. Jobs that are done are deleted after some days.',
    message: ({ id }: { id: string }) => `There is no job ${id}. GET /v1/jobs lists the failed ones.`,
  },
});
