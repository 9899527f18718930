// Checks a broadcast with its experiment before it is scheduled: each variant is checked like the broadcast itself, and the
// sample must be large enough. Reads only the database.
import type { ErrorDetail, OperationContext, ReadContext } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import {
  acceptsVariable,
  type CheckedBroadcast,
  checkBroadcast,
  fault,
  findTemplate,
  frozenTemplate,
  senderFaults,
  templateFaults,
} from '../checks/faults.ts';
import type { FrozenVariant } from '../frozen.ts';
import { isLocal } from '../send-time.ts';
import type { Experiment, Variant } from './schema.ts';

const pathOf = (index: number): string => `experiment.variants.${index}`;

/** The faults of a variant, under its path. Faults of variables keep their path, because all variants share the variables. */
const faultsAt = (faults: readonly ErrorDetail[], index: number, { name }: Variant): ErrorDetail[] =>
  faults.map(({ path, code, message }) => {
    const isShared = path === 'variables' || path.startsWith('variables.') || path === 'topicKey';
    return fault(isShared ? path : `${pathOf(index)}.${path}`, code, `Variant ${name}: ${message}`);
  });

/** The number of contacts that the audience needs so that each variant can be expected to have the minimum number of recipients. */
function neededAudience({ variants, samplePercent, minimum }: Experiment, holdoutPercent: number): number {
  return Math.ceil((variants.length * minimum * 10_000) / (samplePercent * (100 - holdoutPercent)));
}

/** Faults of the experiment as a whole. */
function wholeFaults(row: BroadcastRow, experiment: Experiment, audience: number): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (isLocal(row))
    faults.push(
      fault(
        'experiment',
        'timezone_recipient',
        'With timezone recipient, the mails leave over a whole day, so that no sample comes first. Give a timezone, or leave out the experiment.',
      ),
    );
  const needed = neededAudience(experiment, row.holdout_percent);
  if (audience > 0 && audience < needed)
    faults.push(
      fault(
        'experiment.minimum',
        'sample_too_small',
        `Each variant needs ${experiment.minimum} recipients, and the audience of ${audience} is too small for that: ${needed - audience} more contacts are needed. Or sample more percent, compare fewer variants, or lower the minimum.`,
      ),
    );
  const namesByContent = new Map<string, string>();
  for (const [index, { name, ...content }] of experiment.variants.entries()) {
    const { subject = null, previewText = null, templateKey = row.template_key, from = row.from } = content;
    const same = JSON.stringify([subject, previewText, templateKey, from]);
    const twin = namesByContent.get(same);
    if (twin !== undefined)
      faults.push(fault(pathOf(index), 'variants_equal', `The variants ${twin} and ${name} are the same mail.`));
    namesByContent.set(same, name);
  }
  return faults;
}

/** The template of a variant with its own lines. Adds a fault if it has a templateKey of its own without a template. */
async function templateOf(ctx: ReadContext, row: BroadcastRow, index: number, faults: ErrorDetail[]) {
  const variant = row.experiment?.variants[index];
  const key = variant?.templateKey ?? row.template_key;
  if (variant === undefined || key === null) return undefined;
  const { subject, previewText } = variant;
  const templateFaultList: ErrorDetail[] = [];
  const template = await findTemplate(ctx, key, templateFaultList, { subject, previewText });
  if (variant.templateKey !== undefined) faults.push(...faultsAt(templateFaultList, index, variant));
  return template;
}

/** Whether the mails of a template record the events that the metric counts. */
function isMeasured({ metric }: Experiment, { category, tracking }: ResolvedTemplate): boolean {
  // A template that is not marketing is a fault already.
  if (metric === 'conversions' || category !== 'marketing') return true;
  return metric === 'human_clicks' ? tracking.clicks : tracking.opens;
}

/** The faults of one variant, and its frozen parts. */
async function checkVariant(
  ctx: OperationContext,
  row: BroadcastRow,
  { index, variant }: { readonly index: number; readonly variant: Variant },
  template: ResolvedTemplate,
  templates: readonly ResolvedTemplate[],
): Promise<{ readonly faults: ErrorDetail[]; readonly frozen: FrozenVariant }> {
  const { name, subject, previewText } = variant;
  const variantFaults = [
    // The template of the broadcast is checked already.
    ...(variant.templateKey === undefined ? [] : await templateFaults(ctx, template, row, templates)),
    ...template.lineFaults(),
    ...(variant.from === undefined ? [] : senderFaults(ctx, variant.from)),
  ];
  return {
    faults: faultsAt(variantFaults, index, variant),
    frozen: {
      name,
      template: { ...frozenTemplate(template, row), lines: { subject, previewText } },
      from: variant.from,
      variables: Object.keys(row.variables).filter((variable) => acceptsVariable(template, variable)),
    },
  };
}

/** Checks a broadcast with its experiment before it is scheduled. */
export async function checkWithExperiment(ctx: OperationContext, row: BroadcastRow): Promise<CheckedBroadcast> {
  const { experiment } = row;
  if (experiment === null) return checkBroadcast(ctx, row);
  const faults: ErrorDetail[] = [];
  const foundTemplates: (ResolvedTemplate | undefined)[] = [];
  for (const index of experiment.variants.keys()) foundTemplates.push(await templateOf(ctx, row, index, faults));
  const templates = foundTemplates.filter((template) => template !== undefined);
  const checked = await checkBroadcast(ctx, row, templates);
  const variants: FrozenVariant[] = [];
  for (const [index, variant] of experiment.variants.entries()) {
    const template = foundTemplates[index];
    if (template === undefined) continue;
    const part = await checkVariant(ctx, row, { index, variant }, template, templates);
    faults.push(...part.faults);
    variants.push(part.frozen);
  }
  faults.push(...wholeFaults(row, experiment, checked.audience));
  const unmeasured = templates.find((template) => !isMeasured(experiment, template));
  if (unmeasured !== undefined)
    faults.push(
      fault(
        'experiment.metric',
        'not_tracked',
        `The template ${unmeasured.key} does not track what the metric counts. Turn its tracking on, or choose another metric.`,
      ),
    );
  if (experiment.metric === 'conversions' && (ctx.workspace.settings.conversions ?? []).length === 0)
    faults.push(
      fault(
        'experiment.metric',
        'no_conversions',
        'No event of the workspace counts as a conversion. Set conversions in its settings, or choose another metric.',
      ),
    );
  const knownFaults = new Set(checked.faults.map(({ path, code }) => `${path} ${code}`));
  const added = faults.filter(({ path, code }) => !knownFaults.has(`${path} ${code}`));
  const frozen = checked.frozen === undefined || added.length > 0 ? undefined : { ...checked.frozen, variants };
  return { ...checked, faults: [...checked.faults, ...added], frozen };
}
