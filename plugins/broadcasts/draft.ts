// Creates drafts for other parts of the service: from a planned email, and from an item of a creation. Called inside transactions.
import { coreErrors, type OperationContext, type TransactionContext, type z } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { type BroadcastRow, broadcastRows, broadcasts } from './broadcasts.ts';
import { type Audience, maxOpenBroadcasts, type utmSchema } from './schema.ts';
import { countOpen } from './store.ts';

/** A draft to make. Its fields are already checked. */
export interface NewBroadcast {
  readonly name: string;
  /** Null: people choose it later. */
  readonly templateKey: string | null;
  /** Milliseconds since the epoch. */
  readonly sendAt: number;
  /** An IANA time zone. */
  readonly timezone: string;
  readonly audience: Audience;
  /** (Default: the workspace's default_from) */
  readonly from?: { readonly email: string; readonly name: string };
  /** Parameters of the links. (Default: medium email, campaign the name) */
  readonly utm?: z.input<typeof utmSchema>;
  /** The id of the planned email from which the draft is made. */
  readonly campaignId?: string;
  readonly creationId?: string;
}

/** @throws limit_reached */
export async function checkLimit({ trx }: TransactionContext): Promise<void> {
  // The lock makes concurrent calls count one after the other, so that they cannot exceed the limit together.
  await lockWorkspace(trx);
  if ((await countOpen(trx)) >= maxOpenBroadcasts)
    throw coreErrors.limit_reached({
      limit: maxOpenBroadcasts,
      resources: 'broadcasts that are neither sent nor canceled',
    });
}

/** Makes a draft. @throws limit_reached */
export async function createDraft(
  ctx: TransactionContext,
  { sendAt, campaignId, creationId, ...given }: NewBroadcast,
): Promise<BroadcastRow> {
  await checkLimit(ctx);
  const body = broadcasts.createBody.parse({ ...given, sendAt: new Date(sendAt).toISOString() });
  const row = {
    // The initial values do not depend on the operation, so any transaction can provide them.
    ...broadcasts.initial(ctx as OperationContext),
    ...broadcasts.columnsOf(body),
    id: ctx.newId('brc'),
    ...{ campaign_id: campaignId ?? null, creation_id: creationId ?? null, due_at: sendAt },
    ...{ created_at: ctx.now, updated_at: ctx.now },
  };
  return broadcastRows.insert(ctx.trx, row as BroadcastRow);
}
