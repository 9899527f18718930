// Chooses the account of a post on each of its channels.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import type { SocialPostContent } from '../schema.ts';
import { type AccountRow, accountRows, type TargetRow } from '../tables.ts';

/** The maximum number of accounts of a workspace that are read. */
const maxAccounts = 500;

/** The account of each channel; undefined if the channel has no account, or if the account in the call does not exist. */
export type ChosenAccounts = ReadonlyMap<string, AccountRow | undefined>;

function chooseAccount(
  content: SocialPostContent,
  channelId: string,
  accounts: readonly AccountRow[],
  earlierRef: string | null | undefined,
): AccountRow | undefined {
  const namedRef = content.targetAccountRefs[channelId];
  if (namedRef !== undefined) return accounts.find(({ id }) => id === namedRef);
  // A post keeps its account even if another account was connected later.
  const earlierAccount = accounts.find(({ id }) => id === earlierRef);
  if (earlierAccount !== undefined) return earlierAccount;
  const connected = accounts.filter(({ status }) => status === 'connected');
  const [onlyAccount = accounts[0], ...otherAccounts] = connected;
  if (otherAccounts.length > 0)
    throw errors.account_ambiguous({ channelId, accountRefs: connected.map(({ id }) => id).sort() });
  return onlyAccount;
}

/** Chooses the account of each channel. `earlierTargets`: the present targets of the post. @throws account_ambiguous */
export async function chooseAccounts(
  handle: WorkspaceHandle,
  content: SocialPostContent,
  earlierTargets: readonly Pick<TargetRow, 'channel_id' | 'account_ref'>[] = [],
): Promise<ChosenAccounts> {
  const allAccounts = await accountRows.page(handle, { limit: maxAccounts });
  return new Map(
    content.channels.map((channelId) => {
      const accounts = allAccounts.filter(({ channel_id: of }) => of === channelId);
      const target = earlierTargets.find(({ channel_id: of }) => of === channelId);
      return [channelId, chooseAccount(content, channelId, accounts, target?.account_ref)];
    }),
  );
}

/** An account on which a post can no longer be published, and the reason. */
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
