// Two people in one row: erasing one keeps the other's data complete, in either order, and an export contains no texts of the other
// person. The generated suite finds plugins that confuse the two.
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import type { PersonalData } from '../../core/contract/declaration/personal-data.ts';
import { personal } from '../../core/contract/declaration/personal-fields.ts';
import { definePlugin, type TableDeclaration } from '../../core/contract/declaration/plugin.ts';
import { createAddressFinder, pseudonymOf } from '../../core/kernel/personal-data-addresses.ts';
import { withoutWordsOfOthers } from '../../core/kernel/personal-data-rows.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { operationSuite } from '../../hosts/testing/operation-suite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';

interface ReferralRow {
  id: string;
  workspace_id: string;
  referrer: string | null;
  friend: string | null;
  referrer_id: string | null;
  friend_id: string | null;
  referrer_given: string;
  friend_given: string;
  note: string;
  answers: string;
  log: string;
  letter: Uint8Array;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    referrals: ReferralRow;
  }
}

const migration = defineMigration({
  id: '0001-referrals',
  changes: [
    {
      create: 'referrals',
      columns: {
        id: 'id',
        workspace_id: 'id',
        referrer: 'address?',
        friend: 'address?',
        referrer_id: 'id?',
        friend_id: 'id?',
        referrer_given: 'text',
        friend_given: 'text',
        note: 'text',
        answers: 'json',
        log: 'json',
        letter: 'bytes',
      },
      primaryKey: ['id'],
    },
  ],
});

const columns = {
  referrer: 'address',
  friend: 'address',
  referrer_id: 'person',
  friend_id: 'person',
  referrer_given: 'raw_address',
  friend_given: 'raw_address',
  note: 'text',
  answers: 'text',
  log: 'mentions',
  letter: 'text',
} as const;

const batch = defineOperation({
  id: 'referrals.batch',
  summary: 'Note several referrals',
  http: 'POST /v1/referrals/batch',
  scopes: ['referrals:write'],
  idempotency: 'replay',
  input: { body: z.object({ people: z.array(z.string()) }) },
  output: z.object({
    data: z.array(z.object({ to: z.string(), said: personal('text', z.string()), parts: z.array(z.string()) })),
  }),
  audit: { action: 'referral.batch', target: () => ({ kind: 'referral', id: 'batch' }) },
  fixture: async () => ({ body: { people: ['ada@example.com'] } }),
  handler: async (_, { body }) => ({
    data: body.people.map((to) => ({ to, said: `the words of ${to.split('@')[0]}`, parts: ['one'] })),
  }),
});

const noExport: PersonalData = { export: async () => ({}), erase: async () => 'done' };

const referralsPlugin = (personalData = noExport, rows: 'blank' | 'plugin' = 'blank') => {
  const referrals: TableDeclaration = { tenant: true, personal: { columns, rows } };
  return definePlugin({
    id: 'referrals',
    scopes: [{ scope: 'referrals:write', description: 'Write referrals.' }],
    operations: [batch],
    tables: { referrals },
    migrations: [migration],
    personalData,
  });
};

const ada = 'ada@example.com';
const ben = 'ben@example.org';
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));

const row = (workspace: string, id: string, changes: Partial<ReferralRow> = {}): ReferralRow => ({
  id,
  workspace_id: workspace,
  referrer: ada,
  friend: ben,
  referrer_id: 'con_ada',
  friend_id: 'con_ben',
  referrer_given: 'Ada@Example.com',
  friend_given: 'Ben@Example.org',
  note: 'İyi günler 👩‍👩‍👧, said con_ben',
  answers: JSON.stringify({ [ben]: ['日本', '\ufffd'] }),
  log: JSON.stringify([`<${ada}>`, `<${ben}>`]),
  letter: bytes(`Dear ${ben}`),
  ...changes,
});

/** Converts bytes to text, so that rows of all databases can be compared. */
const readable = (found: ReferralRow | undefined) =>
  found === undefined ? undefined : { ...found, letter: Buffer.from(found.letter).toString() };

await eachDatabase('two people in a row', (test, database) => {
  const open = async () => {
    const kit = await createTestService({
      plugins: [referralsPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    const { core } = kit.service;
    return {
      ...kit,
      write: async (rows: readonly ReferralRow[]) =>
        inWorkspace(core, await readWorkspace(core, kit.workspaceId), async ({ trx }) => {
          for (const one of rows) await trx.db.insertInto('referrals').values(one).execute();
        }),
      read: async (id: string) => {
        const data = await core.database();
        const foundRow = await data.read(unscoped('the test reads one row'), ({ db }) =>
          db.selectFrom('referrals').selectAll().where('id', '=', id).executeTakeFirst(),
        );
        return readable(foundRow);
      },
    };
  };

  test("erasing the first person keeps the second person's data, and vice versa", async () => {
    const { service, workspaceId, write, read, close } = await open();
    const [adasPseudonym, bensPseudonym] = [pseudonymOf(workspaceId, ada), pseudonymOf(workspaceId, ben)];
    await write([row(workspaceId, 'r1')]);
    const before = readable(row(workspaceId, 'r1'));
    await service.personalData.erase(workspaceId, { personId: 'con_ada', email: ada });
    assert.equal(await read('r1'), {
      ...before,
      referrer: adasPseudonym,
      referrer_id: null,
      referrer_given: adasPseudonym,
      log: JSON.stringify([`<${adasPseudonym}>`, `<${ben}>`]),
    });
    await service.personalData.erase(workspaceId, { personId: 'con_ben', email: ben });
    const both = {
      ...before,
      referrer: adasPseudonym,
      friend: bensPseudonym,
      referrer_id: null,
      friend_id: null,
      referrer_given: adasPseudonym,
      friend_given: bensPseudonym,
      note: '',
      answers: '{}',
      log: JSON.stringify([`<${adasPseudonym}>`, `<${bensPseudonym}>`]),
      letter: '',
    };
    assert.equal(await read('r1'), both);

    await write([row(workspaceId, 'r2')]);
    await service.personalData.erase(workspaceId, { personId: 'con_ben', email: ben });
    const remaining = await read('r2');
    assert.equal(
      [remaining?.referrer, remaining?.referrer_id, remaining?.referrer_given],
      [ada, 'con_ada', 'Ada@Example.com'],
    );
    assert.equal(
      [remaining?.friend, remaining?.friend_id, remaining?.friend_given],
      [bensPseudonym, null, bensPseudonym],
    );
    await service.personalData.erase(workspaceId, { personId: 'con_ada', email: ada });
    assert.equal(await read('r2'), { ...both, id: 'r2' });
    await close();
  });

  test('a text that names only the person or nobody is emptied; if it names both people, only the address is replaced', async () => {
    const { service, workspaceId, write, read, close } = await open();
    const adasPseudonym = pseudonymOf(workspaceId, ada);
    const words = (id: string, note: string, answers: unknown) =>
      row(workspaceId, id, { note, answers: JSON.stringify(answers), letter: bytes(note) });
    await write([
      words('hers', `of ADA@example.com`, [ada]),
      words('both', `${ada} asked ${ben}`, { [ada]: ben }),
      words('nobody', 'ß'.repeat(300), ['ada']),
      words('similar', `xada@example.com, con_ada2 and ${ben}`, { a: `${ada}.uk`, b: ben }),
    ]);
    await service.personalData.erase(workspaceId, { personId: 'con_ada', email: ada });
    const read3 = async (id: string) => {
      const foundRow = await read(id);
      return [foundRow?.note, foundRow?.answers, foundRow?.letter];
    };
    assert.equal(await read3('hers'), ['', '[]', '']);
    assert.equal(await read3('both'), [`${adasPseudonym} asked ${ben}`, JSON.stringify({ [adasPseudonym]: ben }), '']);
    assert.equal(await read3('nobody'), ['', '[]', '']);
    const { note, answers, letter } = readable(
      words('similar', `xada@example.com, con_ada2 and ${ben}`, { a: `${ada}.uk`, b: ben }),
    ) as ReferralRow & { letter: string };
    assert.equal(await read3('similar'), [note, answers, letter]);
    await close();
  });

  test('a row that names only this person is emptied completely', async () => {
    const { service, workspaceId, write, read, close } = await open();
    const nobody = { friend: null, friend_id: null, friend_given: '', note: `to ${ben}` };
    await write([
      row(workspaceId, 'alone', nobody),
      row(workspaceId, 'herself', { friend: ada, friend_id: 'con_ada', friend_given: ada }),
    ]);
    await service.personalData.erase(workspaceId, { personId: 'con_ada', email: ada });
    const alone = await read('alone');
    assert.equal([alone?.note, alone?.answers, alone?.letter, alone?.friend], ['', '{}', '', null]);
    const adasPseudonym = pseudonymOf(workspaceId, ada);
    const herself = await read('herself');
    assert.equal(
      [herself?.referrer, herself?.friend, herself?.friend_given, herself?.note],
      [adasPseudonym, adasPseudonym, adasPseudonym, ''],
    );
    await close();
  });

  test('a stored response loses the texts of the person and keeps the texts of others in the same list', async () => {
    const { service, workspaceId, request, close } = await open();
    const post = () =>
      request('/v1/referrals/batch', { body: { people: [ada, ben] }, headers: { 'idempotency-key': 'both' } });
    const before = await post();
    await service.personalData.erase(workspaceId, { email: ada });
    const { data } = (await post()).body;
    assert.equal(data[0], { to: pseudonymOf(workspaceId, ada), said: '', parts: ['one'] });
    assert.equal(data[1], before.body.data[1]);
    await close();
  });

  if (database.name !== 'sqlite') return;

  test('an exported row contains no texts of the other person', () => {
    const table = { personal: { columns } };
    const subject = { personId: 'con_ada', externalId: null, emails: [ada] };
    const shownTo = withoutWordsOfOthers(table, row('w', 'r'), subject);
    assert.equal(shownTo, { ...row('w', 'r'), note: '', answers: '', letter: new Uint8Array() });
    const otherPerson = { personId: 'con_ben', externalId: null, emails: [ben] };
    assert.equal(withoutWordsOfOthers(table, row('w', 'r'), otherPerson), row('w', 'r'));
    const decodedRow = { ...row('w', 'r'), answers: { [ben]: 1 } };
    assert.equal(withoutWordsOfOthers(table, decodedRow, subject).answers, {});
  });

  test('a phone number is not found at the beginning of a longer number', () => {
    const finder = createAddressFinder('w', ['+4915123']);
    const pseudonym = pseudonymOf('w', '+4915123');
    assert.is(finder.erase('+4915123, +491512345 and "+4915123"'), `${pseudonym}, +491512345 and "${pseudonym}"`);
    assert.is(finder.isIn(JSON.stringify('\n+491512345')), false);
    assert.is(finder.isIn(JSON.stringify('\n+4915123')), true);
  });

  /** The result of the generated test of shared rows for a plugin. */
  async function suiteFindings(plugin: ReturnType<typeof referralsPlugin>): Promise<string> {
    const findings: (() => Promise<void>)[] = [];
    operationSuite(
      'referrals',
      () => createTestService({ plugins: [plugin] }),
      plugin.operations,
      (name, run) => {
        if (name.includes('erasing one person')) findings.push(run);
      },
    );
    assert.is(findings.length, 1);
    return (await findings[0]?.().catch((error: Error) => error.message)) ?? 'passed';
  }

  test('the generated suite erases each person separately and finds a plugin that confuses them', async () => {
    assert.is(await suiteFindings(referralsPlugin()), 'passed');

    const shows: PersonalData = {
      ...noExport,
      async export({ trx: { db } }, { emails, personId }) {
        const foundRows = await db
          .selectFrom('referrals')
          .selectAll()
          .where((is) =>
            is.or([
              is('referrer', 'in', [...emails, '']),
              is('friend', 'in', [...emails, '']),
              is('referrer_id', '=', personId ?? ''),
              is('friend_id', '=', personId ?? ''),
            ]),
          )
          .execute();
        return { referrals: foundRows };
      },
    };
    assert.match(await suiteFindings(referralsPlugin(shows)), /the export of the person in referrals\.referrer shows/);

    const wipes: PersonalData = {
      ...noExport,
      async erase({ trx }, { emails }) {
        const pseudonym = pseudonymOf(trx.workspaceId, ada);
        await trx.db
          .updateTable('referrals')
          .set({ referrer: pseudonym, friend: pseudonym, note: '' })
          .where((is) => is.or([is('referrer', 'in', [...emails, '']), is('friend', 'in', [...emails, ''])]))
          .execute();
        return 'done';
      },
    };
    assert.match(
      await suiteFindings(referralsPlugin(wipes, 'plugin')),
      /erasing the person in referrals\.referrer changed what the row holds of the person in friend/,
    );
    const keeps = referralsPlugin(noExport, 'plugin');
    assert.match(await suiteFindings(keeps), /erasing the person in referrals\.referrer left their name in the row/);
  });
});
