// Finds the records of a person on each side of a workspace, and binds a sweep to one side, so that the plugins' parts need not
// handle sides. Called by personal-data.ts.
import { normaliseAddress } from '../contract/addresses.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { onSide } from '../contract/on-side.ts';
import type { DataSubject, PersonName, PersonRecord, SidedSubject, SweepPlace } from '../contract/personal-data.ts';

/** Finds the records that match a name on the handle's side. */
export type Identify = (side: WorkspaceHandle, name: PersonName) => Promise<readonly PersonRecord[]>;

const subjectOn = (sandbox: boolean, { personId, externalId, emails }: DataSubject): SidedSubject => ({
  sandbox,
  personId,
  externalId,
  emails,
});

/** A person without a record in any plugin. */
const unrecorded = ({ personId, externalId, email }: PersonName): DataSubject => ({
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
): Promise<DataSubject[]> {
  const names: PersonName[] = known.flatMap(({ externalId, email }) => [
    ...(externalId === null ? [] : [{ externalId }]),
    ...(email === null ? [] : [{ email }]),
  ]);
  if (givenAddress !== undefined) names.push({ email: givenAddress });
  const found = new Map<string | null, PersonRecord>();
  for (const name of names) for (const record of await identify(side, name)) found.set(record.personId, record);
  const records = [...found.values()];
  const own = new Set(records.flatMap(({ emails }) => emails));
  const more: string[] = [];
  // A former address may belong to another person on this side, who must not be erased.
  for (const email of new Set(known.flatMap(({ emails }) => emails)))
    if (!own.has(email) && (await identify(side, { email })).length === 0) more.push(email);
  const [first = { personId: null, externalId: known[0]?.externalId ?? null, emails: [] }, ...others] = records;
  return [{ ...first, emails: [...first.emails, ...more] }, ...others];
}

/** The person with this name. If the handle is bound to the sandbox side, only on that side; otherwise on both sides. */
export async function identifyOnSides(
  identify: Identify,
  handle: WorkspaceHandle,
  name: PersonName,
): Promise<SidedSubject[]> {
  const subjectsOn = (sandbox: boolean, found: readonly DataSubject[]) =>
    (found.length > 0 ? found : [unrecorded(name)]).map((subject) => subjectOn(sandbox, subject));
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
export const placeOnSide = ({ read, write, signal }: SweepPlace, sandbox: boolean): SweepPlace => ({
  read: (work) => read((handle) => work(handle.onSide(sandbox))),
  write: (work) => write((effects) => work(onSide(effects, sandbox))),
  signal,
});
