// A person on the sides of a workspace: which records of which side are meant, and effects and reads that are bound to one side,
// so that the parts of the plugins need not know of sides. Called by personal-data.ts.
import { normaliseAddress } from '../contract/addresses.ts';
import type { Effects } from '../contract/context.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { DataSubject, PersonName, PersonRecord, SidedSubject, SweepPlace } from '../contract/personal-data.ts';

/** The records that a name means on the side of the handle. */
export type Identify = (side: WorkspaceHandle, name: PersonName) => Promise<readonly PersonRecord[]>;

const subjectOn = (sandbox: boolean, { personId, externalId, emails }: DataSubject): SidedSubject => ({
  sandbox,
  personId,
  externalId,
  emails,
});

/** A person of whom no plugin keeps a record. */
const unrecorded = ({ personId, externalId, email }: PersonName): DataSubject => ({
  personId: personId ?? null,
  externalId: externalId ?? null,
  emails: email === undefined ? [] : [normaliseAddress(email)],
});

/** The same person on the other side: by external id, by the address of now, by the address that was said. */
async function counterparts(
  identify: Identify,
  side: WorkspaceHandle,
  known: readonly PersonRecord[],
  said: string | undefined,
): Promise<DataSubject[]> {
  const names: PersonName[] = known.flatMap(({ externalId, email }) => [
    ...(externalId === null ? [] : [{ externalId }]),
    ...(email === null ? [] : [{ email }]),
  ]);
  if (said !== undefined) names.push({ email: said });
  const found = new Map<string | null, PersonRecord>();
  for (const name of names) for (const record of await identify(side, name)) found.set(record.personId, record);
  const records = [...found.values()];
  const own = new Set(records.flatMap(({ emails }) => emails));
  const more: string[] = [];
  // An address that the person had before may be another person's on this side: that person is left alone.
  for (const email of new Set(known.flatMap(({ emails }) => emails)))
    if (!own.has(email) && (await identify(side, { email })).length === 0) more.push(email);
  const [first = { personId: null, externalId: known[0]?.externalId ?? null, emails: [] }, ...others] = records;
  return [{ ...first, emails: [...first.emails, ...more] }, ...others];
}

/** Whom a name means: on the sandbox side alone where the handle is bound to it, else on both sides. */
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
  const lives = onSandbox.length === 0 ? [] : await counterparts(identify, live, onSandbox, name.email);
  return [...subjectsOn(false, lives), ...subjectsOn(true, onSandbox)];
}

/** The effects of a transaction on one side. What a live transaction causes on the sandbox side is synthetic. */
export function effectsOnSide(effects: Effects, sandbox: boolean): Effects {
  const trx = effects.trx.onSide(sandbox);
  if (effects.sandbox === sandbox) return { ...effects, trx };
  return {
    ...effects,
    trx,
    sandbox,
    emit: (type, data, options = {}) => effects.emit(type, data, { ...options, synthetic: true }),
    enqueue: (job) => effects.enqueue({ ...job, sandbox: true }),
  };
}

/** The same for what does not fit one transaction. */
export const placeOnSide = ({ read, write, signal }: SweepPlace, sandbox: boolean): SweepPlace => ({
  read: (work) => read((handle) => work(handle.onSide(sandbox))),
  write: (work) => write((effects) => work(effectsOnSide(effects, sandbox))),
  signal,
});
