// Chooses the account of a post on each of its channels.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import type { SocialPostContent } from '../schema.ts';
import { type AccountRow, accountRows, type TargetRow } from '../tables.ts';

/** The maximum number of accounts of a workspace that are read. */
const maxAccounts = 500;

/** The account of each channel; undefined if the channel has no account, or if the account that the caller named does not exist. */
export type ChosenAccounts = ReadonlyMap<string, AccountRow | undefined>;

function chosenOf(
  content: SocialPostContent,
  channelId: string,
  accounts: readonly AccountRow[],
  before: string | null | undefined,
): AccountRow | undefined {
  const givenRef = content.targetAccountRefs[channelId];
  if (givenRef !== undefined) return accounts.find(({ id }) => id === givenRef);
  // If another account is connected later, the post keeps its account.
  const earlierAccount = accounts.find(({ id }) => id === before);
  if (earlierAccount !== undefined) return earlierAccount;
  const connected = accounts.filter(({ status }) => status === 'connected');
  const [only = accounts[0], ...others] = connected;
  if (others.length > 0)
    throw errors.account_ambiguous({ channelId, accountRefs: connected.map(({ id }) => id).sort() });
  return only;
}

/** Chooses the account of each channel. `before`: the present targets of the post. @throws account_ambiguous */
export async function chooseAccounts(
  handle: WorkspaceHandle,
  content: SocialPostContent,
  before: readonly Pick<TargetRow, 'channel_id' | 'account_ref'>[] = [],
): Promise<ChosenAccounts> {
  const all = await accountRows.page(handle, { limit: maxAccounts });
  return new Map(
    content.channels.map((channelId) => {
      const accounts = all.filter(({ channel_id: of }) => of === channelId);
      const target = before.find(({ channel_id: of }) => of === channelId);
      return [channelId, chosenOf(content, channelId, accounts, target?.account_ref)];
    }),
  );
}

/** An account that a post can no longer go to, and the reason. */
export interface UnavailableAccount {
  readonly channelId: string;
  readonly accountRef: string;
  readonly code: 'account_missing' | 'account_disconnected';
  readonly message: string;
}

/**
 * The accounts of the content that were removed or are no longer connected. A channel without an account and without a named
 * account is left out.
 */
export function unavailableAmong(
  { channels, targetAccountRefs }: SocialPostContent,
  chosen: ChosenAccounts,
  nameOf: (channelId: string) => string,
): UnavailableAccount[] {
  return channels.flatMap((channelId): readonly UnavailableAccount[] => {
    const account = chosen.get(channelId);
    const accountRef = account?.id ?? targetAccountRefs[channelId];
    if (accountRef === undefined || account?.status === 'connected') return [];
    if (account === undefined) {
      const message = `The account ${accountRef} on ${nameOf(channelId)} was removed.`;
      return [{ channelId, accountRef, code: 'account_missing', message }];
    }
    const message = `The account ${account.display_name} on ${nameOf(channelId)} is ${account.status}.`;
    return [{ channelId, accountRef, code: 'account_disconnected', message }];
  });
}

/** @throws account_not_found if the channel does not have a named account */
export function checkNamed({ targetAccountRefs }: SocialPostContent, chosen: ChosenAccounts): void {
  for (const [channelId, accountRef] of Object.entries(targetAccountRefs))
    if (chosen.get(channelId) === undefined) throw errors.account_not_found({ channelId, accountRef });
}
