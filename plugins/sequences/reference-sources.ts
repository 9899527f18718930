// Finds the published sequences that use a list or a segment before it is deleted, or an email template before it is
// archived: the entries of `lists.references`, `segments.references` and `templates.references`.
import type { ReadContext, ReferenceSource } from '../../core/index.ts';
import { namedReferences } from './definition/references.ts';
import { maxSequences } from './schema.ts';
import { publishedOrPausedSequences } from './store.ts';

type DefinitionReferences = ReturnType<typeof namedReferences>;

const maxShown = 20;

/** The keys of the sequences, at most 20. Includes paused sequences, because they may be resumed. */
async function sequencesNaming(ctx: ReadContext, names: (named: DefinitionReferences) => boolean): Promise<string[]> {
  const keys: string[] = [];
  for (const { key, version_id: versionId } of await publishedOrPausedSequences(ctx.trx, 2 * maxSequences)) {
    if (versionId === null || keys.length === maxShown) continue;
    const { definition } = await ctx.services.sequenceVersions.load(ctx.trx, versionId);
    if (names(namedReferences(definition))) keys.push(key);
  }
  return keys;
}

const createReferences = (names: (named: DefinitionReferences, id: string) => boolean) => (): ReferenceSource => ({
  async referencesTo(ctx, id) {
    const keys = await sequencesNaming(ctx, (named) => names(named, id));
    return keys.map((name) => ({ kind: 'sequence', name }));
  },
});

/** The published sequences that use a list. */
export const createListReferences = createReferences(({ lists }, id) => lists.includes(id));

/** The published sequences that a segment starts. */
export const createSegmentReferences = createReferences(({ segments }, id) => segments.includes(id));

/** The published sequences that send an email template, by the template's key. */
export const createTemplateReferences = createReferences(({ emailTemplates }, key) => emailTemplates.includes(key));
