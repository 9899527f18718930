// The report of a broadcast as callers see it.
import { isoTime, z } from '../../../core/index.ts';
import { liftSchema } from '../conversions/lift.ts';
import { visibleExperiment } from '../experiments/schema.ts';
import { countsSchema, facts } from '../schema.ts';
import { conversionsSchema } from './conversions.ts';

const factCounts = Object.fromEntries(facts.map((fact) => [fact, z.int()])) as Record<(typeof facts)[number], z.ZodInt>;

export const reportSchema = z
  .object({
    broadcastId: z.string(),
    counts: countsSchema,
    byHour: z.array(z.object({ hour: isoTime, ...factCounts })),
    byDomain: z.array(z.object({ domain: z.string(), accepted: z.int(), ...factCounts })),
    byLink: z.array(z.object({ url: z.string(), clicked: z.int().describe('Recipients who clicked it.') })),
    byVariant: z
      .array(z.object({ variant: z.string(), accepted: z.int(), ...factCounts }))
      .describe('The sample, and the recipients who got the variant after the decision. Empty without an experiment.'),
    experiment: visibleExperiment.nullable(),
    conversions: conversionsSchema,
    lift: liftSchema,
  })
  .meta({ id: 'BroadcastReport' });

export type BroadcastReport = z.output<typeof reportSchema>;

/** The charts of a report. */
export const chartNames = ['byHour', 'byDomain', 'byLink', 'byVariant'] as const;
export type ChartName = (typeof chartNames)[number];
