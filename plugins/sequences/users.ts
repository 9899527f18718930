// Which published sequences name a list, before it is deleted (`ctx.services.listUsersOfSequences`), or an email template, before it is
// archived.
import type { ReadContext } from '../../core/index.ts';
import type { ListUsers } from '../lists/index.ts';
import { namedReferences } from './definition/references.ts';
import { maxSequences } from './schema.ts';
import { sequencesInForce } from './store.ts';

type Named = ReturnType<typeof namedReferences>;

const shown = 20;

/** Their keys, 20 at most. A paused sequence counts: it may be resumed. */
async function sequencesNaming({ services, trx }: ReadContext, names: (named: Named) => boolean): Promise<string[]> {
  const keys: string[] = [];
  for (const { key, version_id: versionId } of await sequencesInForce(trx, 2 * maxSequences)) {
    if (versionId === null || keys.length === shown) continue;
    const { definition } = await services.sequenceVersions.load(trx, versionId);
    if (names(namedReferences(definition))) keys.push(key);
  }
  return keys;
}

/** Makes the service. */
export const createListUsers = (): ListUsers => ({
  async usersOf(ctx, listId) {
    const keys = await sequencesNaming(ctx, ({ lists }) => lists.includes(listId));
    return keys.map((name) => ({ kind: 'sequence', name }));
  },
});

/** The published sequences that send the email template. */
export const sendersOf = (ctx: ReadContext, templateKey: string): Promise<string[]> =>
  sequencesNaming(ctx, ({ emailTemplates }) => emailTemplates.includes(templateKey));
