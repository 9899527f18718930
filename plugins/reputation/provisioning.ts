// `service.workspaces.releaseReputation`: releases marketing mail for the embedding program. Audited.
import { coreErrors, type ProvisioningContext } from '../../core/index.ts';
import type { ReputationRule } from './options.ts';
import { type Reputation, releaseNote } from './schema.ts';
import { releaseMarketing, showReputation } from './state.ts';

/** `service.workspaces.releaseReputation`. */
export type ReleaseReputation = (
  workspaceId: string,
  /** `note`: what was wrong and what has changed, at most 2,000 characters. It stays in the history. */
  release: { readonly note: string },
) => Promise<Reputation>;

/** Makes the call. */
export const createReleaseReputation =
  (rules: readonly ReputationRule[]) =>
  ({ write }: ProvisioningContext): ReleaseReputation =>
  async (workspaceId, release) => {
    const note = releaseNote.safeParse(release?.note);
    if (!note.success)
      throw coreErrors.validation_failed({ summary: 'releaseReputation: give a `note` of 1 to 2,000 characters.' });
    return write(workspaceId, async (ctx) => {
      await releaseMarketing(ctx, { by: 'service', note: note.data });
      ctx.audit('reputation.release', { kind: 'reputation', id: 'marketing' });
      return showReputation(ctx.trx, rules, { domains: ctx.workspace.sendingDomains, now: ctx.now });
    });
  };
