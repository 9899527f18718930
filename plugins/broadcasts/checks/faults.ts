// Checks whether a broadcast can be scheduled, and reports all its faults at once, as sentences for its authors. Reads only the database.
import {
  type ErrorDetail,
  isPostriderError,
  type OperationContext,
  type ReadContext,
  type WorkspaceContext,
} from '../../../core/index.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import type { FrozenTemplate, OwnLines, ResolvedTemplate } from '../../templates/index.ts';
import { countAudience } from '../audience.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import type { FrozenAudience, FrozenBroadcast, FrozenPart } from '../frozen.ts';
import type { Audience, AudiencePart } from '../schema.ts';
import { timeFault } from '../send-time.ts';
import { liquidFault, literalsIn, variablesFor } from '../variables.ts';

/** The result of the check: the faults, and the frozen parts if there are no faults. */
export interface CheckedBroadcast {
  readonly faults: readonly ErrorDetail[];
  readonly frozen: FrozenBroadcast | undefined;
  /** The number of contacts in the audience. */
  readonly audience: number;
}

export const fault = (path: string, code: string, message: string): ErrorDetail => ({ path, code, message });

const templateStates: Readonly<Record<string, string>> = {
  template_not_found: 'There is no such template. GET /v1/templates lists the existing ones.',
  template_archived: 'The template is archived. Name another one.',
  template_is_layout: 'This is a layout, not a template.',
  template_not_published: 'The template was never published. Publish it first.',
};

/** The published template with this key. Adds a fault if there is none. */
export async function findTemplate(
  ctx: ReadContext,
  key: string | null,
  faults: ErrorDetail[],
  lines?: OwnLines,
): Promise<ResolvedTemplate | undefined> {
  if (key === null) {
    faults.push(fault('templateKey', 'required', 'The broadcast has no template yet. Give its templateKey.'));
    return undefined;
  }
  try {
    return await ctx.services.templates.resolve(ctx, key, { drafts: false, lines });
  } catch (error) {
    const message = isPostriderError(error) ? templateStates[error.code] : undefined;
    if (message === undefined || !isPostriderError(error)) throw error;
    faults.push(fault('templateKey', error.code, message));
    return undefined;
  }
}

/** The faults of variables without Liquid. Their values are the same for every recipient. */
function literalFaults({ now }: ReadContext, template: ResolvedTemplate, variables: BroadcastRow['variables']) {
  const literals = variablesFor(literalsIn(variables), (name) => acceptsVariable(template, name));
  try {
    template.accept({ ...template.previewVariables(), ...literals }, now);
    return [];
  } catch (error) {
    if (!isPostriderError(error, 'variables_invalid')) throw error;
    // The other variables have example values here, whose faults do not count.
    const literalPaths = Object.keys(literals).map((name) => `variables.${name}`);
    return (error.details ?? []).filter(({ path }) =>
      literalPaths.some((name) => path === name || path.startsWith(`${name}.`)),
    );
  }
}

/** Whether the contract of a template accepts a variable of this name. */
export const acceptsVariable = ({ contract }: ResolvedTemplate, name: string): boolean =>
  contract['additionalProperties'] === true ||
  Object.hasOwn((contract['properties'] as object | undefined) ?? {}, name);

/** The faults for variables that the contract requires and the broadcast lacks, and for variables that no template uses. */
function variableFaults(
  ctx: ReadContext,
  template: ResolvedTemplate,
  row: BroadcastRow,
  others: readonly ResolvedTemplate[],
): ErrorDetail[] {
  const { contract } = template;
  const required = Array.isArray(contract['required']) ? contract['required'].map(String) : [];
  const missing = required.filter((name) => !Object.hasOwn(row.variables, name));
  const unknown = Object.keys(row.variables).filter(
    (name) => ![template, ...others].some((candidate) => acceptsVariable(candidate, name)),
  );
  return [
    ...missing.map((name) =>
      fault(
        `variables.${name}`,
        'required',
        `The template needs ${name}. Give a text, or Liquid such as {{ contact.attributes.${name} }}.`,
      ),
    ),
    ...unknown.map((name) =>
      fault(`variables.${name}`, 'unknown', 'The template does not use this variable. Leave it out.'),
    ),
    ...literalFaults(ctx, template, row.variables),
    ...liquidFault(ctx, row.variables),
  ];
}

/**
 * The faults of a template as the mail of the broadcast.
 * @param others templates of other variants, which may accept other variables
 */
export async function templateFaults(
  ctx: OperationContext,
  template: ResolvedTemplate,
  row: BroadcastRow,
  others: readonly ResolvedTemplate[],
): Promise<ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  if (template.category !== 'marketing')
    faults.push(
      fault(
        'templateKey',
        'not_marketing',
        `The template is ${template.category} mail. A broadcast needs a marketing template, which lets its recipients unsubscribe.`,
      ),
    );
  if (template.topicKey !== null && template.topicKey !== row.topic_key)
    faults.push(
      fault(
        'topicKey',
        'topic_differs',
        `The template is about the topic ${template.topicKey}. Give the same topicKey.`,
      ),
    );
  faults.push(...variableFaults(ctx, template, row, others));
  const brands: BrandsService | undefined = ctx.services.brands;
  const themeId = await ctx.services.templates.themeOf(ctx.trx, template.id, template.version);
  if (((await brands?.brandOf(ctx.trx, themeId))?.postal_address ?? null) === null)
    faults.push(
      fault(
        'templateKey',
        'no_postal_address',
        'Marketing mail must show the postal address of its sender. Set postal_address of the brand.',
      ),
    );
  return faults;
}

async function freezePart(ctx: ReadContext, part: AudiencePart, path: string, faults: ErrorDetail[]) {
  const { services, trx } = ctx;
  if ('listId' in part) {
    if ((await services.lists.find(trx, part.listId, 'share')) === undefined) {
      faults.push(fault(path, 'list_not_found', `There is no list ${part.listId}.`));
      return [];
    }
    return [part];
  }
  const segments: SegmentsService = services.segments;
  const segment = await segments.find(trx, part.segmentId, 'share');
  if (segment === undefined) {
    faults.push(fault(path, 'segment_not_found', `There is no segment ${part.segmentId}.`));
    return [];
  }
  return [{ segmentId: segment.id, filter: await segments.freeze(trx, segment.filter) }];
}

/** The audience with the filters that its segments have now. */
export async function freezeAudience(
  ctx: ReadContext,
  { include, exclude }: Audience,
  faults: ErrorDetail[] = [],
): Promise<FrozenAudience> {
  const frozen: Record<'include' | 'exclude', FrozenPart[]> = { include: [], exclude: [] };
  for (const [side, parts] of [
    ['include', include],
    ['exclude', exclude],
  ] as const)
    for (const [index, part] of parts.entries())
      frozen[side].push(...(await freezePart(ctx, part, `audience.${side}.${index}`, faults)));
  return frozen;
}

async function audienceFaults(ctx: OperationContext, row: BroadcastRow, faults: ErrorDetail[]) {
  if (row.audience === null) {
    faults.push(
      fault('audience', 'required', 'Nobody would get the mail. Give the lists or segments of its audience.'),
    );
    return { frozen: undefined, audience: 0 };
  }
  const frozen = await freezeAudience(ctx, row.audience, faults);
  const audience = await countAudience(ctx, frozen);
  if (audience === 0 && faults.every(({ path }) => !path.startsWith('audience')))
    faults.push(fault('audience', 'empty', 'The audience has no contact. Of lists, only confirmed members count.'));
  if (row.topic_key === null && row.audience.include.some((part) => 'segmentId' in part))
    faults.push(
      fault(
        'topicKey',
        'required',
        'The contacts of a segment did not agree to a list, so the mail needs a topic that they can agree to and leave. Give a topicKey.',
      ),
    );
  if (row.topic_key !== null && (await ctx.services.topics.find(ctx.trx, row.topic_key, 'share')) === undefined)
    faults.push(fault('topicKey', 'topic_not_found', `There is no topic ${row.topic_key}.`));
  return { frozen, audience };
}

/** The faults of a sender that may not send, or may no longer send. */
export function senderFaults(ctx: WorkspaceContext, from: BroadcastRow['from']): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  try {
    ctx.services.bulkMail.checkSender(ctx.workspace, from ?? ctx.workspace.defaultFrom);
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    faults.push(fault('from', error.code, error.message));
  }
  return faults;
}

/** The template as scheduling freezes it. */
export function frozenTemplate(
  { key, id: templateId, version, category, delivery, tracking, expiresIn }: ResolvedTemplate,
  { topic_key: topicKey }: BroadcastRow,
): FrozenTemplate {
  return { key, templateId, version, category, delivery, tracking, topicKey, expiresIn };
}

/**
 * Checks a broadcast before it is scheduled, with the sendAt and ceiling of the row, except for its experiment.
 * @param others templates of variants
 */
export async function checkBroadcast(
  ctx: OperationContext,
  row: BroadcastRow,
  others: readonly ResolvedTemplate[] = [],
): Promise<CheckedBroadcast> {
  const faults: ErrorDetail[] = [];
  const template = await findTemplate(ctx, row.template_key, faults);
  if (template !== undefined) faults.push(...(await templateFaults(ctx, template, row, others)));
  faults.push(...senderFaults(ctx, row.from));
  const { frozen, audience } = await audienceFaults(ctx, row, faults);
  const late = timeFault(row, ctx.now);
  if (late !== undefined) faults.push(fault('sendAt', 'time_invalid', late));
  if (row.ceiling !== null && audience > row.ceiling)
    faults.push(
      fault(
        'ceiling',
        'too_low',
        `The audience has ${audience} contacts, more than the ceiling of ${row.ceiling}. Raise it, or narrow the audience.`,
      ),
    );
  if (faults.length > 0 || template === undefined || frozen === undefined)
    return { faults, frozen: undefined, audience };
  return { faults, frozen: { template: frozenTemplate(template, row), audience: frozen, variants: [] }, audience };
}
