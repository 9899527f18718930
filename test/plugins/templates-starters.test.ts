// The starters of a new workspace: they exist from the start, and are published as if an author had published them.
// full-run: slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';
import { loadedPackages } from '../guards/loaded-packages.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const keys = ['receipt', 'password-reset', 'login-code', 'magic-link', 'shipping-notice', 'welcome', 'invitation'];

const open = (database: TestDatabase, options: Partial<Parameters<typeof createTestService>[0]> = {}) =>
  createTestService({
    storage: database.createStorage(),
    tablePrefix: database.newPrefix(),
    ...options,
    plugins: standardPlugins,
  });

await twoDatabases('starters', (test, database) => {
  let bench: Awaited<ReturnType<typeof open>>;
  test.before(async () => {
    bench = await open(database);
  });
  test.after(() => bench.close());

  const versionsOf = async (workspaceId: string) => {
    const db = await bench.service.core.database();
    return db.read(workspaceId, (handle) =>
      handle.db.selectFrom('template_versions').selectAll().where('workspace_id', '=', workspaceId).execute(),
    );
  };

  test('a new workspace has all seven starters, published, with tracking off', async () => {
    const { body } = await bench.request('/v1/templates?limit=100');
    assert.equal(body.data.map(({ key }: { key: string }) => key).sort(), [...keys].sort());
    for (const template of body.data) {
      const { key, status, version, contractVersion, mode, tracking, publishedAt, createdAt } = template;
      assert.equal([status, version, contractVersion, mode], ['published', 1, 1, 'mjml'], key);
      assert.equal(tracking, { opens: false, clicks: false }, key);
      assert.is(publishedAt, createdAt, key);
      const detail = (await bench.request(`/v1/templates/${key}`)).body;
      assert.equal([detail.draft, detail.locale], [false, 'en'], key);
    }
    const fieldOf = (name: string) => (key: string) =>
      body.data.find((each: { key: string }) => each.key === key)[name] as string;
    assert.equal(keys.map(fieldOf('category')), [
      ...['transactional', 'system', 'system', 'system', 'transactional', 'transactional', 'transactional'],
    ]);
    const atMostOnceKeys = keys.filter((key) => fieldOf('delivery')(key) === 'at-most-once');
    assert.equal(atMostOnceKeys, ['login-code', 'magic-link']);
  });

  test('a live key can send each starter at once with its short example', async () => {
    for (const { key, variables } of starters()) {
      const [short] = variables.examples;
      const { examples } = (await bench.request(`/v1/templates/${key}/schema`)).body;
      assert.equal(examples, short, key);
      const to = `${key}@example.org`;
      const headers = { 'idempotency-key': key };
      const answer = await bench.request(`/v1/templates/${key}/send`, { body: { to, variables: short }, headers });
      assert.equal([answer.status, answer.body.status, answer.body.templateVersion], [202, 'sent', 1], key);
      await bench.drain();
      const mail = bench.lastMailTo(to);
      // The answer hides a code that is in the subject of the mail.
      assert.is(mail?.subject.replace(String(short?.['code']), '••••'), answer.body.subject);
      assert.is(mail?.sandbox, false);
      assert.ok(mail?.html.includes('</html>') && (mail?.text.length ?? 0) > 100, key);
    }
  });

  test('starters use the name of the default sender as product, unless the caller gives another product', async () => {
    const cases = [
      [{ name: 'Internal', defaultFrom: { email: 'a@acme.example', name: ' Fjord & Co. ' } }, 'Fjord & Co.'],
      [{ name: 'Fjord “Works”', defaultFrom: { email: 'a@acme.example', name: '' } }, 'Fjord “Works”'],
      [{ name: '{{name}}', defaultFrom: { email: 'a@acme.example', name: 'x'.repeat(81) } }, '{{name}}'],
      [{ name: 'two\nlines', defaultFrom: { email: 'a@acme.example', name: '' } }, 'acme.example'],
      [{ name: 'Internal', defaultFrom: { email: 'a@acme.example', name: '🛶'.repeat(80) } }, '🛶'.repeat(80)],
    ] as const;
    for (const [workspace, product] of cases) {
      const { id } = await bench.service.workspaces.create(workspace);
      const { email, templates } = bench.service.as(id);
      const message = { template: 'magic-link', to: 'ada@example.org', variables: { url: 'https://a.example' } };
      assert.is((await email.send(message)).subject, `Sign in to ${product}`);
      const answer = await email.send({ ...message, variables: { ...message.variables, product: 'Kayak' } });
      assert.is(answer.subject, 'Sign in to Kayak');
      const { variables, version } = await templates.publish({ key: 'magic-link' });
      const { product: schema } = variables['properties'] as Record<string, { default?: string }>;
      assert.equal([schema?.default, version], [product, 2], 'it can be published again without a change');
    }
  });

  test('the frozen content of the starters equals the content that publishing would freeze', async () => {
    const { templates } = bench.service.as(bench.workspaceId);
    for (const key of keys) {
      const { name, category, mode, subject, previewText, body, text, variables, delivery, locale } =
        await templates.read({ key });
      const content = { name, category, mode, subject, previewText, body, text, variables, delivery, locale };
      await templates.create({ ...content, key: `again-${key}` });
      const republished = await templates.publish({ key: `again-${key}` });
      const { id } = await templates.read({ key });
      const versions = await versionsOf(bench.workspaceId);
      const comparable = (templateId: string) => {
        const row = versions.find(({ template_id }) => template_id === templateId);
        assert.ok(row, key);
        const { template_id, created_at, source, ...frozen } = row;
        // The source keeps the author's order of keys, and the contract has its own order.
        const { variables: authored, ...rest } = JSON.parse(source);
        return { ...frozen, source: { ...rest, variables: JSON.parse(authored) } };
      };
      const [created, published] = [comparable(id), comparable(republished.id)];
      assert.is(created.contract, published.contract, key);
      const { source: madeFrom, ...rest } = created;
      const { source: publishedFrom, ...publishedRest } = published;
      assert.equal(rest, publishedRest, key);
      assert.equal(Object.keys(madeFrom), Object.keys(publishedFrom), key);
      assert.equal({ ...madeFrom, variables: null }, { ...publishedFrom, variables: null }, key);
    }
  });

  test('each workspace has its own starters, which are deleted with it', async () => {
    const [ownVersions, foreignVersions] = [
      await versionsOf(bench.workspaceId),
      await versionsOf(bench.foreignWorkspaceId),
    ];
    const ids = new Set(ownVersions.map(({ template_id }) => template_id));
    assert.is(foreignVersions.length, 7);
    assert.not.ok(foreignVersions.some(({ template_id }) => ids.has(template_id)));
    const { id } = await bench.service.workspaces.create({
      name: 'Short-lived',
      defaultFrom: { email: 'a@acme.example', name: 'Acme' },
    });
    assert.is((await versionsOf(id)).length, 7);
    await bench.service.workspaces.delete(id);
    assert.is((await versionsOf(id)).length, 0);
  });

  test('creating the starters takes two statements and adds no job and no event', async () => {
    const insertedTables: string[] = [];
    const counting = await open(database, {
      queryPlugins: [
        {
          transformQuery({ node }) {
            if (node.kind === 'InsertQueryNode') {
              const [table] = JSON.stringify(node.into).match(/template[a-z_]*|jobs|outbox/) ?? [];
              if (table !== undefined) insertedTables.push(table);
            }
            return node;
          },
          transformResult: async ({ result }) => result,
        },
      ],
    });
    insertedTables.length = 0;
    await counting.service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@acme.example', name: 'A' } });
    await counting.close();
    assert.equal(insertedTables, ['templates', 'template_versions']);
  });

  test('a plugin without starters leaves a new workspace empty', async () => {
    const empty = await createTestService({
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      plugins: bareStandardPlugins,
    });
    assert.equal((await empty.request('/v1/templates')).body.data, []);
    await empty.close();
  });

  if (database.name === 'sqlite') {
    test('creating a workspace and sending its starters loads no compiler', () => {
      const folder = mkdtempSync(join(tmpdir(), 'postrider-starters-'));
      try {
        const support = new URL('../support/starter-mails.ts', import.meta.url).href;
        const program = join(folder, 'program.mts');
        writeFileSync(
          program,
          `import { exampleCases, sendStarters } from ${JSON.stringify(support)};\nawait sendStarters(exampleCases);\n`,
        );
        const packages = loadedPackages(pathToFileURL(program).href);
        assert.ok(packages.includes('liquidjs'), 'the test does not see loaded packages');
        for (const heavy of ['mjml', 'mjml-core', 'juice', 'html-to-text'])
          assert.not.ok(packages.includes(heavy), heavy);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
