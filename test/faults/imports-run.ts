// Imports files of contacts over processes that are killed, and accounts for the contacts, the members of the list and the events of
// a watched segment. Called by imports-kill.test.ts.
import type { Service } from '../../core/kernel/compose.ts';
import { inWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { upsertContacts } from '../../plugins/contacts/upsert-contacts.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { compareKind } from '../../plugins/segments/watching/kinds.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { doomedProcesses, everywhere, type PlannedKill, unfinishedJobs } from './doomed-processes.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';

/** The number of contacts with an event, and the number of events in addition to one event for each of them. */
type EventCount = readonly [contacts: number, doubled: number];

/** The account of a run. */
export interface ImportsAccount {
  readonly kills: number;
  /** The counts of each import, as the API shows them. */
  readonly imports: readonly string[];
  /** The number of valid rows without a contact that has their values. */
  readonly lost: number;
  /** The number of contacts in addition to the contacts of valid rows. */
  readonly doubled: number;
  /** The number of valid rows whose contacts are confirmed members of the list. */
  readonly members: number;
  /** The count that the list shows. */
  readonly memberCount: number;
  readonly events: Readonly<Record<string, EventCount>>;
  /** The number of comparisons of the watched segment that were enqueued when an import ended. */
  readonly comparisons: number;
  /** The number of parts of files that are still stored. */
  readonly parts: number;
  readonly unfinishedJobs: number;
}

/** The effect of a row. Kinds alternate, so that each transaction has rows of each kind. */
const kinds = ['changed', 'same', 'invalid', 'new'] as const;
const kindOf = (row: number) => kinds[row % kinds.length];
const planOf = (row: number): string => (row % 8 < 4 ? 'pro' : 'free');
const nameOf = (file: number, row: number): string => `f${file}-${row}`;
const numbersTo = (end: number): number[] => Array.from({ length: end }, (_, number) => number);

const csvOf = (file: number, rows: number): string => {
  const lines = numbersTo(rows).map((row) => {
    const name = nameOf(file, row);
    return `${name},${kindOf(row) === 'invalid' ? 'nobody' : `${name}@example.net`},${planOf(row)}`;
  });
  return ['external_id,email,plan', ...lines].join('\n');
};

const inBatch = 500;

/** Creates the contacts that the rows of a file change, and the contacts that rows do not change. */
async function createKnown(service: Service<never>, workspaceId: string, file: number, rows: number): Promise<void> {
  const workspace = await service.workspaces.read(workspaceId);
  const knownRows = numbersTo(rows).filter((row) => kindOf(row) === 'changed' || kindOf(row) === 'same');
  for (let from = 0; from < knownRows.length; from += inBatch)
    await inWorkspace(service.core, workspace, async (ctx) => {
      const patches = knownRows.slice(from, from + inBatch).map((row) => {
        const name = nameOf(file, row);
        const plan = kindOf(row) === 'same' ? planOf(row) : 'none';
        return { reference: { external_id: name, email: `${name}@example.net` }, attributes: { plan } };
      });
      await upsertContacts(ctx, patches);
    });
}

async function eventsOf(service: Service<never>): Promise<Record<string, EventCount>> {
  const database = await service.core.database();
  const rows = await database.read(everywhere, ({ db }) =>
    db.selectFrom('outbox').select(['type', 'subject']).where('subject', 'is not', null).execute(),
  );
  const subjects = new Map<string, string[]>();
  for (const { type, subject } of rows) {
    const knownSubjects = subjects.get(type) ?? [];
    knownSubjects.push(subject ?? '');
    subjects.set(type, knownSubjects);
  }
  return Object.fromEntries(
    [...subjects].map(([type, all]) => {
      const contacts = new Set(all).size;
      return [type, [contacts, all.length - contacts]] as const;
    }),
  );
}

async function accountOf(
  service: Service<never>,
  kills: number,
  files: number,
  rows: number,
): Promise<Omit<ImportsAccount, 'memberCount'>> {
  const database = await service.core.database();
  const { imports, contacts, members, comparisons, parts } = await database.read(everywhere, async ({ db }) => ({
    imports: await db.selectFrom('contact_imports').selectAll().orderBy('id').execute(),
    contacts: await db.selectFrom('contacts').select(['id', 'external_id', 'email', 'attributes']).execute(),
    members: await db.selectFrom('list_members').select(['contact_id', 'status']).execute(),
    comparisons: await db.selectFrom('jobs').select('created_at').where('kind', '=', compareKind).execute(),
    parts: await db.selectFrom('contact_import_parts').select('import_id').execute(),
  }));
  const contactsByName = new Map(
    contacts.map(({ id, external_id, email, attributes }) => {
      const { plan } = JSON.parse(String(attributes)) as Record<string, string>;
      return [`${external_id} ${email} ${plan}`, id];
    }),
  );
  const expectedContacts = numbersTo(files).flatMap((file) =>
    numbersTo(rows).flatMap((row) => {
      const name = nameOf(file, row);
      return kindOf(row) === 'invalid' ? [] : [`${name} ${name}@example.net ${planOf(row)}`];
    }),
  );
  const confirmedIds = new Set(members.filter(({ status }) => status === 'confirmed').map(({ contact_id: id }) => id));
  const ends = new Set(imports.map(({ finished_at: at }) => Number(at)));
  return {
    kills,
    imports: imports.map(
      (one) =>
        `${one.status}: ${one.total} = ${one.created} + ${one.updated} + ${one.unchanged} + ${one.rejected}, ${one.position} done`,
    ),
    lost: expectedContacts.filter((row) => !contactsByName.has(row)).length,
    doubled: contacts.length - expectedContacts.length,
    members: expectedContacts.filter((row) => confirmedIds.has(contactsByName.get(row) ?? '')).length,
    events: await eventsOf(service),
    comparisons: comparisons.filter(({ created_at: at }) => ends.has(Number(at))).length,
    parts: parts.length,
    unfinishedJobs: await unfinishedJobs(service),
  };
}

/** The plan of a run. */
export interface ImportsPlan {
  /** The kills of each import. */
  readonly waves: readonly (readonly PlannedKill[])[];
  /** The number of processes with each kill. */
  readonly deaths: number;
  /** The rows of each file. */
  readonly rows: number;
}

async function runAt(database: DatabaseLocation, { waves, deaths, rows }: ImportsPlan): Promise<ImportsAccount> {
  const service = createMailService({ storage: storageOf(database) }) as unknown as Service<never>;
  try {
    const { workspaceId } = await seed(service as unknown as Service);
    const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
    const processes = doomedProcesses(service, database);
    for (const file of waves.keys()) await createKnown(service, workspaceId, file, rows);
    // The test wants every event, so the segment is watched from its beginning.
    await calls.segments.create({
      name: 'Pro',
      filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' },
    });
    const { listId } = await calls.lists.create({ name: 'Imported', optin: 'double' });
    await processes.finish();
    let kills = 0;
    for (const [file, plannedKills] of waves.entries()) {
      await calls.contacts.import({ csv: csvOf(file, rows), listId, consentNote: 'Agreed at the fair' });
      for (const kill of plannedKills) kills += await processes.kill(Array.from({ length: deaths }, () => kill));
      await processes.finish();
    }
    const { contactCount } = await calls.lists.read({ listId });
    return { ...(await accountOf(service, kills, waves.length, rows)), memberCount: contactCount };
  } finally {
    await service.stop();
  }
}

/** Imports one file for each wave of kills. */
export const runImports = (kind: DatabaseKind, plan: ImportsPlan): Promise<ImportsAccount> =>
  withDatabase(kind, (location) => runAt(location, plan));
