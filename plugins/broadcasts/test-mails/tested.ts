// The mail of the last test of a broadcast, so that a later preview can list the changes since then. Only hashes are stored.
import { isoTime, type ReadContext, toIsoTime, z } from '../../../core/index.ts';
import { contentHash } from '../../../core/unstable.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { type PartName, partNames, type TestedMail } from './tested-mail.ts';

export const lastTestSchema = z
  .object({
    at: isoTime.describe('When the last test was sent.'),
    changed: z
      .array(z.enum(partNames))
      .describe('The parts of the mail that have changed since. Empty if nothing has changed.'),
  })
  .nullable()
  .describe('The last test of this broadcast; null without one.');

type LastTest = z.input<typeof lastTestSchema>;

const hashOf = (value: unknown): string => contentHash(JSON.parse(JSON.stringify(value ?? null)));

/** The mail of a broadcast as a test shows it now. */
export async function currentTestedMail(
  ctx: ReadContext,
  row: BroadcastRow,
  template: ResolvedTemplate,
): Promise<TestedMail> {
  const brands: BrandsService | undefined = ctx.services.brands;
  const themeId = await ctx.services.templates.themeOf(ctx.trx, template.id, template.version);
  const brand = await brands?.brandOf(ctx.trx, themeId);
  const theme = themeId === null ? undefined : await brands?.theme(ctx.trx, themeId);
  const parts: Record<PartName, unknown> = {
    templateKey: row.template_key,
    templateVersion: template.version,
    variables: row.variables,
    from: row.from,
    replyTo: row.reply_to,
    topicKey: row.topic_key,
    utm: row.utm,
    experiment: row.experiment?.variants,
    brand: { brand, theme },
  };
  const hashes = Object.fromEntries(partNames.map((name) => [name, hashOf(parts[name])])) as TestedMail['hashes'];
  return { at: ctx.now, hashes };
}

/** The last test of a broadcast, and what has changed since. */
export async function lastTestOf(ctx: ReadContext, row: BroadcastRow, template: ResolvedTemplate): Promise<LastTest> {
  const { tested } = row;
  if (tested === null) return null;
  const { hashes } = await currentTestedMail(ctx, row, template);
  return { at: toIsoTime(tested.at), changed: partNames.filter((name) => hashes[name] !== tested.hashes[name]) };
}
