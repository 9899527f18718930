// The content of a broadcast that members decide on, and the content kind with which approval policies hold broadcasts.
import type { ContentJson, ContentKind, PublishableContent, ReadContext } from '../../core/index.ts';
import { contentHash } from '../../core/unstable.ts';
import { countAudience, defaultCeiling } from './audience.ts';
import { type BroadcastRow, broadcastKindId, broadcastRows } from './broadcasts.ts';
import { findTemplate, freezeAudience } from './checks/faults.ts';
import { settingsOf } from './experiments/schema.ts';
import { type FrozenAudience, frozenOf } from './frozen.ts';

/** The published version of a template; null if there is none. */
const versionOf = async (ctx: ReadContext, key: string | null): Promise<number | null> =>
  (await findTemplate(ctx, key, []))?.version ?? null;

/** The versions of the templates and the audience: as they were frozen, otherwise as they are now. */
async function partsOf(ctx: ReadContext, row: BroadcastRow) {
  const frozen = frozenOf(row);
  if (frozen !== null && row.status !== 'draft')
    return {
      templateVersion: frozen.template.version,
      variantVersions: frozen.variants.map(({ template }) => template.version),
      audience: frozen.audience,
    };
  const variants = row.experiment?.variants ?? [];
  const variantVersions: (number | null)[] = [];
  for (const { templateKey } of variants) variantVersions.push(await versionOf(ctx, templateKey ?? row.template_key));
  return {
    templateVersion: await versionOf(ctx, row.template_key),
    variantVersions,
    audience: row.audience === null ? null : await freezeAudience(ctx, row.audience),
  };
}

/** The experiment as it is decided on, with the versions of its templates. */
const experimentOf = ({ experiment }: BroadcastRow, variantVersions: readonly (number | null)[]) =>
  experiment === null ? null : { ...settingsOf(experiment), variantVersions };

/** The ceiling that scheduling would set now, so that a decision requested before scheduling covers it, too. */
const ceilingOf = async (ctx: ReadContext, audience: FrozenAudience | null): Promise<number | null> =>
  audience === null ? null : defaultCeiling(await countAudience(ctx, audience));

/** Everything that a decision covers. */
export async function contentOf(ctx: ReadContext, row: BroadcastRow): Promise<PublishableContent> {
  const { variantVersions, ...parts } = await partsOf(ctx, row);
  const content = {
    template: row.template_key,
    ...parts,
    experiment: experimentOf(row, variantVersions),
    variables: row.variables,
    from: row.from,
    replyTo: row.reply_to,
    topic: row.topic_key,
    holdoutPercent: row.holdout_percent,
    pace: row.pace,
    sendAt: row.send_at,
    timezone: row.timezone,
    ceiling: row.ceiling ?? (await ceilingOf(ctx, parts.audience)),
  };
  return { name: row.name, content: content as unknown as ContentJson, before: null };
}

/** The hash of the content. */
export const hashOf = ({ content }: PublishableContent): string => contentHash(content);

/** The content kind with which approval policies hold broadcasts. */
export const broadcastContentKind: ContentKind = {
  kind: broadcastKindId,
  targetKind: 'broadcast',
  async read(ctx, targetId) {
    const row = await broadcastRows.find(ctx.trx, targetId);
    return row === undefined ? undefined : contentOf(ctx, row);
  },
};
