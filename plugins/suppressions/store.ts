// SQL of the suppressions plugin that matches an address or its pseudonym.
import {
  defineStatement,
  filledList,
  presenter,
  pseudonymOf,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { suppressionResource } from './schema.ts';
import { type SuppressionReason, type SuppressionRow, suppressions } from './tables.ts';

export const rows = tenantRows(suppressions);
export const presentSuppression = presenter(suppressions, suppressionResource);

interface Names {
  readonly email: string;
  /** The pseudonym that replaces the address if the person is erased. */
  readonly pseudonym: string;
}

const byNames = defineStatement((db, p: Names) =>
  db.selectFrom('suppressions').selectAll().where('email', 'in', [p.email, p.pseudonym]),
);

const remove = defineStatement((db, p: Names) =>
  db.deleteFrom('suppressions').where('email', 'in', [p.email, p.pseudonym]),
);

const namesOf = ({ workspaceId }: WorkspaceHandle, email: string) => ({
  email,
  pseudonym: pseudonymOf(workspaceId, email),
});

/** The addresses by the names under which they may be stored: the address itself and its pseudonym. */
function addressesByName(handle: WorkspaceHandle, emails: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const email of emails) {
    names.set(email, email);
    names.set(pseudonymOf(handle.workspaceId, email), email);
  }
  return names;
}

/** The precedence of suppressions: complaints first, then all mail before marketing, then unlimited before temporary. */
const rankOf = ({ reason, scope, expires_at: end }: SuppressionRow): number =>
  (reason === 'complaint' ? 0 : 4) + (scope === 'all' ? 0 : 2) + (end === null ? 0 : 1);

/** The suppression of an address. It is stored under the address or under its pseudonym. */
export async function findSuppression(handle: WorkspaceHandle, email: string): Promise<SuppressionRow | undefined> {
  const found = await handle.all(byNames, namesOf(handle, email));
  return found.map(rows.decode).sort((a, b) => rankOf(a) - rankOf(b))[0];
}

/** The suppressions of these normalised addresses, by address. */
export async function findSuppressions(
  handle: WorkspaceHandle,
  emails: readonly string[],
): Promise<ReadonlyMap<string, SuppressionRow>> {
  const names = addressesByName(handle, emails);
  const found = new Map<string, SuppressionRow>();
  for (const row of await rows.findIn(handle, 'email', [...names.keys()])) {
    const email = names.get(row.email) ?? row.email;
    const before = found.get(email);
    if (before === undefined || rankOf(row) < rankOf(before)) found.set(email, row);
  }
  return found;
}

/** Returns those of these addresses that have a suppression that has not expired. */
export async function listSuppressed(
  handle: WorkspaceHandle,
  emails: readonly string[],
  now: number,
): Promise<string[]> {
  if (emails.length === 0) return [];
  const emailsByName = addressesByName(handle, emails);
  const found = await handle.db
    .selectFrom('suppressions')
    .select('email')
    .where('email', 'in', filledList([...emailsByName.keys()]))
    .where((builder) => builder.or([builder('expires_at', 'is', null), builder('expires_at', '>', now)]))
    .execute();
  return found.flatMap(({ email }) => emailsByName.get(email) ?? []);
}

const removeUnsubscribe = defineStatement((db, p: Names) =>
  db
    .deleteFrom('suppressions')
    .where('email', 'in', [p.email, p.pseudonym])
    .where('reason', '=', 'unsubscribe' satisfies SuppressionReason),
);

/** Removes an address from the list if the person unsubscribed it. */
export async function liftUnsubscribe(handle: WorkspaceHandle, email: string): Promise<void> {
  await handle.run(removeUnsubscribe, namesOf(handle, email));
}

/** Removes the suppression of an address. Returns whether there was one. */
export const deleteSuppression = async (handle: WorkspaceHandle, email: string): Promise<boolean> =>
  (await handle.run(remove, namesOf(handle, email))) > 0;
