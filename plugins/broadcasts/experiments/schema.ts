// Experiments of broadcasts as callers write and see them: variants of one mail. Each recipient in a sample gets one of them.
import { isoTime, z } from '../../../core/index.ts';
import { exactDurationMs, lineFault } from '../../../core/unstable.ts';
import { keySchema, senderSchema } from '../schema.ts';

const maxWaitMs = 7 * 86_400_000;

const isLine = (text: string): boolean => lineFault(text) === undefined;
const notALine = 'This is one line without control characters.';
const line = z.string().trim().min(1).max(2_000).refine(isLine, notALine).optional();

export const variantName = z.string().trim().min(1).max(40).refine(isLine, notALine);

const variantSchema = z
  .strictObject({
    name: variantName.describe('Unique among the variants.'),
    subject: line.describe('Liquid over the variables of the template. (Default: the subject of the template)'),
    previewText: line.describe(
      'Liquid over the variables of the template. (Default: the preview text of the template)',
    ),
    templateKey: keySchema
      .optional()
      .describe('Another published marketing template. (Default: the templateKey of the broadcast)'),
    from: senderSchema.optional().describe('Another sender. (Default: from of the broadcast)'),
  })
  .meta({ id: 'BroadcastVariant' });
/** One of the mails that an experiment compares. */
export type Variant = z.output<typeof variantSchema>;

export const experimentMetric = z.enum(['human_clicks', 'human_opens', 'conversions']);
export type ExperimentMetric = z.output<typeof experimentMetric>;

const count = z.int().min(0);

const figuresSchema = z.object({
  name: z.string(),
  recipients: count.describe('Recipients of the sample whose mail was handed over.'),
  hits: count.describe('Recipients among them whom the metric counts.'),
  rate: z.number().nullable().describe('hits divided by recipients, from 0 to 1. Null without recipients.'),
});
/** The figures of one variant in the sample. */
export type VariantResult = z.output<typeof figuresSchema>;

const decisionSchema = z
  .object({
    by: z.enum(['rule', 'hand']).describe('rule: the test of significance. hand: a call of decide.'),
    variant: z.string().describe('The variant that all other recipients get.'),
    at: isoTime,
    variants: z.array(figuresSchema).describe('The figures at the moment of the decision.'),
    test: z
      .enum(['z', 'fisher'])
      .nullable()
      .describe(
        "Compares the best with the second best. z: two proportions, pooled, two-sided. fisher: Fisher's exact test, if an expected cell is below 5. Null if fewer than two variants have recipients.",
      ),
    z: z.number().nullable(),
    p: z.number().nullable().describe('The rule calls a winner below 0.05.'),
  })
  .meta({ id: 'BroadcastDecision' });
export type ExperimentDecision = z.output<typeof decisionSchema>;

const warningSchema = z.object({ code: z.string(), message: z.string() });

const appleWarning = {
  code: 'opens_unreliable',
  message:
    "Opens say little about people: Apple's mail program loads pictures for its users, through a proxy that hides who has opened. Prefer human_clicks.",
};

/** The settings that callers write. */
const settingsSchema = z.strictObject({
  variants: z
    .array(variantSchema)
    .min(2)
    .max(5)
    .refine(
      (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
      'Two variants have the same name.',
    )
    .describe('Without a winner, all other recipients get the first.'),
  samplePercent: z
    .int()
    .min(10)
    .max(100)
    .describe(
      'The percentage of recipients who get a variant at once, in equal parts. With 100, nothing is left to decide.',
    ),
  metric: experimentMetric.describe('The events that are compared. Opens and clicks of bots do not count.'),
  decideAfter: z
    .string()
    .max(40)
    .refine((text) => {
      const ms = exactDurationMs(text);
      return ms !== undefined && ms > 0 && ms <= maxWaitMs;
    }, 'This is not an ISO 8601 duration of at most 7 days, such as PT4H or P1D.')
    .describe('How long to wait after the last mail of the sample was handed over.'),
  minimum: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(200)
    .describe('The minimum of recipients per variant. A smaller sample cannot be scheduled.'),
});
export type ExperimentSettings = z.output<typeof settingsSchema>;

const stateSchema = z.object({
  status: z
    .enum(['sampling', 'decided', 'no_winner'])
    .nullable()
    .describe(
      'no_winner: no variant is significantly better, and all other recipients get the first. Null for a draft.',
    ),
  decidesAt: isoTime.nullable().describe("When the rule decides. Null until the sample's last mail was handed over."),
  decision: decisionSchema.nullable(),
  warnings: z.array(warningSchema),
});
type ExperimentState = z.output<typeof stateSchema>;

/** An experiment with its state, as it is stored and shown. */
export interface Experiment extends ExperimentSettings, ExperimentState {}

const warningsOf = ({ metric }: ExperimentSettings): ExperimentState['warnings'] =>
  metric === 'human_opens' ? [appleWarning] : [];

/** An experiment that has not begun. */
const newExperiment = (settings: ExperimentSettings): Experiment => ({
  ...settings,
  ...{ status: null, decidesAt: null, decision: null, warnings: warningsOf(settings) },
});

/** The settings that callers send, as they are stored. */
export const experimentSchema = settingsSchema.transform(newExperiment).meta({ id: 'BroadcastExperimentSettings' });

export const visibleExperiment = z
  .object({ ...settingsSchema.shape, ...stateSchema.shape })
  .meta({ id: 'BroadcastExperiment' });

/** The settings that the caller sent. */
export function settingsOf({ variants, samplePercent, metric, decideAfter, minimum }: Experiment): ExperimentSettings {
  return { variants, samplePercent, metric, decideAfter, minimum };
}

/** The same experiment as if it had not begun; null for null. */
export const resetExperiment = (experiment: Experiment | null): Experiment | null =>
  experiment === null ? null : newExperiment(settingsOf(experiment));

/** The experiment of a broadcast that is scheduled; null for null. */
export const startedExperiment = (experiment: Experiment | null): Experiment | null =>
  experiment === null ? null : { ...experiment, status: 'sampling' };
