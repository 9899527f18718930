// Finds the records of a person on each side of a workspace, and binds a sweep to one side, so that the plugins' parts need not
// handle sides. Called by personal-data.ts.

import type { WorkspaceHandle } from '../contract/context/handle.ts';
import { onSide } from '../contract/context/on-side.ts';
import type {
  PersonIdentifiers,
  PersonIdentifiersOnSide,
  PersonName,
  PersonRecord,
  SweepContext,
} from '../contract/declaration/personal-data.ts';
import { normaliseAddress } from '../contract/values/addresses.ts';

/** Finds the records that match a name on the handle's side. */
type Identify = (side: WorkspaceHandle, name: PersonName) => Promise<readonly PersonRecord[]>;

const subjectOn = (sandbox: boolean, { personId, externalId, emails }: PersonIdentifiers): PersonIdentifiersOnSide => ({
  sandbox,
  personId,
  externalId,
  emails,
});

/** A person without a record in any plugin. */
const withoutRecord = ({ personId, externalId, email }: PersonName): PersonIdentifiers => ({
  personId: personId ?? null,
  externalId: externalId ?? null,
  emails: email === undefined ? [] : [normaliseAddress(email)],
});

/** The same person on the other side, found by external id, by present address or by the address that the caller gave. */
async function counterparts(
  identify: Identify,
  side: WorkspaceHandle,
  known: readonly PersonRecord[],
  givenAddress: string | undefined,
): Promise<PersonIdentifiers[]> {
  const names: PersonName[] = known.flatMap(({ externalId, email }) => [
    ...(externalId === null ? [] : [{ externalId }]),
    ...(email === null ? [] : [{ email }]),
  ]);
  if (givenAddress !== undefined) names.push({ email: givenAddress });
  const counterpartRecords = new Map<string | null, PersonRecord>();
  for (const name of names)
    for (const record of await identify(side, name)) counterpartRecords.set(record.personId, record);
  const records = [...counterpartRecords.values()];
  const emailsOfRecords = new Set(records.flatMap(({ emails }) => emails));
  const additional: string[] = [];
  // A former address may belong to another person on this side, who must not be erased.
  for (const email of new Set(known.flatMap(({ emails }) => emails)))
    if (!emailsOfRecords.has(email) && (await identify(side, { email })).length === 0) additional.push(email);
  const [first = { personId: null, externalId: known[0]?.externalId ?? null, emails: [] }, ...otherRecords] = records;
  return [{ ...first, emails: [...first.emails, ...additional] }, ...otherRecords];
}

/** The person with this name. If the handle is bound to the sandbox side, only on that side; otherwise on both sides. */
export async function identifyOnSides(
  identify: Identify,
  handle: WorkspaceHandle,
  name: PersonName,
): Promise<PersonIdentifiersOnSide[]> {
  const subjectsOn = (sandbox: boolean, people: readonly PersonIdentifiers[]) =>
    (people.length > 0 ? people : [withoutRecord(name)]).map((subject) => subjectOn(sandbox, subject));
  if (handle.sandbox === true) return subjectsOn(true, await identify(handle, name));
  const [live, sandbox] = [handle.onSide(false), handle.onSide(true)];
  const onLive = await identify(live, name);
  if (onLive.length > 0)
    return [
      ...subjectsOn(false, onLive),
      ...subjectsOn(true, await counterparts(identify, sandbox, onLive, name.email)),
    ];
  const onSandbox = await identify(sandbox, name);
  const onLiveSide = onSandbox.length === 0 ? [] : await counterparts(identify, live, onSandbox, name.email);
  return [...subjectsOn(false, onLiveSide), ...subjectsOn(true, onSandbox)];
}

/** Binds the work of a sweep to one side. A sweep does not fit into one transaction. */
export const sweepContextOnSide = ({ read, write, signal }: SweepContext, sandbox: boolean): SweepContext => ({
  read: (work) => read((handle) => work(handle.onSide(sandbox))),
  write: (work) => write((ctx) => work(onSide(ctx, sandbox))),
  signal,
});
