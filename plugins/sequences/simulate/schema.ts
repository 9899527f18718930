// The input and output of a simulation.
import { isoTime, personal, personReference, z } from '../../../core/index.ts';
import { runVariables } from '../schema.ts';

/** The last moment is far before the last time that can be represented, because a run may wait for years. */
const [firstMoment, lastMoment] = [Date.parse('1970-01-01T00:00:00Z'), Date.parse('2999-12-31T23:59:59Z')];
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= firstMoment && at <= lastMoment, 'Give a time from 1970 to 2999.');

const values = z.record(z.string().max(100), z.unknown());

export const simulateBody = z.object({
  contact: z
    .strictObject({
      ...personReference,
      attributes: z
        .record(z.string().max(64), z.unknown())
        .optional()
        .describe('With attributes the person is made up; without, the contact is looked up.'),
    })
    .optional()
    .describe(
      'Attributes of a made-up person, or a reference, which needs contacts:read. (Default: a person without attributes)',
    ),
  variables: runVariables.default({}),
  startAt: moment.optional().describe('When the run begins. (Default: now)'),
  events: z
    .array(
      z
        .strictObject({
          type: z.string().min(1).max(100),
          at: moment.optional().describe('(Default: the start)'),
          data: values
            .optional()
            .describe(
              'Of an event of the service: its data, which the sequence reads as event.data. Of an event about a message, metadata.nodeId in it is the node that sent it.',
            ),
          metadata: values
            .optional()
            .describe(
              'Of an event of your program: its metadata, which the sequence reads as event.metadata. Of an event of the service: an alternative to data; in it, nodeId is the node that sent the message. Give one of the two.',
            ),
        })
        .refine(({ data, metadata }) => data === undefined || metadata === undefined, {
          path: ['data'],
          error: 'Give data or metadata, not both: data of an event of the service, metadata of one of your program.',
        }),
    )
    .max(100)
    .default([])
    .describe(
      'Events during the simulation. The first that matches the trigger starts the run; warnings name events without effect, and say why.',
    ),
  until: moment.optional().describe('Nothing later is simulated. (Default: 400 days after the start)'),
  draft: z.boolean().default(true).describe('The working copy; false: the published version.'),
  html: z.boolean().default(true).describe('false leaves out the HTML of the mails: html is null.'),
});

export type SimulateBody = z.output<typeof simulateBody>;

const renderedMessage = z.object({
  channel: z.enum(['email', 'sms']),
  subject: z.string().nullable(),
  html: z.string().nullable(),
  text: z.string(),
});

export type RenderedMessage = z.output<typeof renderedMessage>;

export const simulationResult = z
  .object({
    status: z.enum(['active', 'completed', 'exited', 'failed']).describe('active: it still waits at the end.'),
    reason: z.string().nullable().describe('Why the run ended, like exitReason of a run.'),
    endsAt: isoTime.nullable(),
    path: z.array(
      z.object({
        nodeId: z.string(),
        kind: z.string(),
        at: isoTime.describe('When the node was done; of a waiting one, when it began.'),
        outcome: z.string().describe('completed, skipped, failed, waiting or pending; of a choice, the edge taken.'),
        reason: z.string().nullable(),
        rendered: personal('text', renderedMessage.nullable()).describe('The message that would be sent.'),
      }),
    ),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SequenceSimulation' });
