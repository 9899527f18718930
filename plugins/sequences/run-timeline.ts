// Runs on the timeline of a person.
import { defineTimelineSource, z } from '../../core/index.ts';
import { runsOnTimeline } from './store.ts';

export const runTimeline = defineTimelineSource({
  kind: 'sequence_run',
  scope: 'sequences:read',
  fields: z.object({
    sequence_key: z.string(),
    status: z.string(),
    exit_reason: z.string().nullable(),
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
  }),

  list: async ({ trx: handle }, { personId }, { limit, after }) =>
    (await runsOnTimeline(handle, personId, limit, after)).map(
      ({ id, key, status, exitReason, startedAt, sandbox }) => ({
        id,
        createdAt: startedAt,
        fields: {
          sequence_key: key,
          status,
          exit_reason: exitReason,
          ...(sandbox ? { synthetic: true as const } : {}),
        },
      }),
    ),
});
