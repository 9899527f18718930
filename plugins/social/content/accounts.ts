// Which account a post goes to on each of its channels.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import type { PostContent } from '../schema.ts';
import { type AccountRow, accountRows, type TargetRow } from '../tables.ts';

/** Accounts of a workspace at most; one has a handful. */
const maxAccounts = 500;

/** By channel; undefined where none is connected, or the one that was chosen is gone. */
export type ChosenAccounts = ReadonlyMap<string, AccountRow | undefined>;

function chosenOf(
  content: PostContent,
  channelId: string,
  accounts: readonly AccountRow[],
  before: string | null | undefined,
): AccountRow | undefined {
  const named = content.targetAccountRefs[channelId];
  if (named !== undefined) return accounts.find(({ id }) => id === named);
  // An account that is connected later does not change where a post goes.
  const kept = accounts.find(({ id }) => id === before);
  if (kept !== undefined) return kept;
  const connected = accounts.filter(({ status }) => status === 'connected');
  const [only = accounts[0], ...others] = connected;
  if (others.length > 0)
    throw errors.account_ambiguous({ channelId, accountRefs: connected.map(({ id }) => id).sort() });
  return only;
}

/** `before`: the targets that the post has. @throws account_ambiguous */
export async function chooseAccounts(
  handle: WorkspaceHandle,
  content: PostContent,
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

/** An account to which a post cannot go any more, and why. */
export interface GoneAccount {
  readonly channelId: string;
  readonly accountRef: string;
  readonly code: 'account_missing' | 'account_disconnected';
  readonly message: string;
}

/** Those of a content that were removed, or are not connected any more. A channel without any account has none that could go. */
export function goneAmong(
  { channels, targetAccountRefs }: PostContent,
  chosen: ChosenAccounts,
  nameOf: (channelId: string) => string,
): GoneAccount[] {
  return channels.flatMap((channelId): readonly GoneAccount[] => {
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

/** @throws account_not_found for a named account that the channel does not have */
export function checkNamed({ targetAccountRefs }: PostContent, chosen: ChosenAccounts): void {
  for (const [channelId, accountRef] of Object.entries(targetAccountRefs))
    if (chosen.get(channelId) === undefined) throw errors.account_not_found({ channelId, accountRef });
}
