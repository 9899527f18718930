// The code of the documents: it type-checks against the sources, it runs, and what the text says of it holds.
// time-limit: 240
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeBlocks, createProgramFolder, removeFolder, runProgram, typeFaults } from './documents.ts';

/** What each document's program is asked at its end. Every document has one. */
const questions: Record<string, { ask: string; answer: unknown }> = {
  embedding: {
    ask: `{ planned: planned.length === applied.length && planned.length > 0, handle: (await handle(new Request('http://localhost/messaging/v1/workspace'))).status, name: workspace.name, app: typeof app }`,
    answer: { planned: true, handle: 401, name: 'Acme', app: 'function' },
  },
  transactions: {
    ask: `{ orders: database.prepare('select count(*) as n from orders').get(), sent: (await service.drain(), mail.messages().map(({ to }) => to.email).sort()), pg: typeof placeOrder }`,
    answer: { orders: { n: 2 }, sent: ['ada@example.com', 'ada@example.com', 'grace@example.com'], pg: 'function' },
  },
  idempotency: { ask: '{ same: first.id === again.id }', answer: { same: true } },
  'keys-and-scopes': {
    ask: `{ backend: /^postrider_live_\\w{49}$/.test(backend.secret), send: backend.scopes.includes('templates:send'), revoked: (await service.as(workspace.id).keys.read({ id: monitoring.id })).revoked_at !== null }`,
    answer: { backend: true, send: true, revoked: true },
  },
  sandbox: {
    ask: `{ status: bounced.status, kept: mail.lastTo('ada@example.com')?.subject, mode: key.mode, suppressed: (await service.as(id).suppressions.list()).data.length }`,
    answer: { status: 'bounced', kept: 'Hello', mode: 'test', suppressed: 0 },
  },
  'adding-an-operation': {
    ask: `{ code: parcel.code, again: await service.as(id).parcels.register({ code: 'AB 12' }).catch((error) => error.code) }`,
    answer: { code: 'AB 12', again: 'parcel_known' },
  },
};

const test = suite<{ folder: string }>('documents', { folder: '' });

test.before(async (context) => {
  context.folder = await createProgramFolder();
  for (const [name, { ask }] of Object.entries(questions)) {
    const blocks = await codeBlocks(`docs/${name}.md`, 'ts');
    const end = `console.log(JSON.stringify(${ask}));\nawait service.stop();`;
    await writeFile(join(context.folder, `${name}.mts`), [...blocks, end].join('\n'));
  }
  const readme = await codeBlocks('README.md', 'ts');
  await writeFile(join(context.folder, 'readme.mts'), [...readme, 'void [send, key];'].join('\n'));
});

test.after(({ folder }) => removeFolder(folder));

test('every document is asked', async () => {
  const files = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => basename(name, '.md'));
  assert.equal(files.sort(), Object.keys(questions).sort());
});

test('their code type-checks', async ({ folder }) => {
  assert.is(await typeFaults(folder), '');
});

for (const [name, { answer }] of Object.entries(questions)) {
  test(`docs/${name}.md does what it says`, async ({ folder }) => {
    // Each has a folder of its own for its database.
    const own = await createProgramFolder();
    try {
      await writeFile(join(own, 'program.mts'), await readFile(join(folder, `${name}.mts`), 'utf8'));
      assert.equal(JSON.parse(await runProgram(own, 'program.mts')), answer);
    } finally {
      await removeFolder(own);
    }
  });
}

test('their links lead somewhere', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  for (const name of Object.keys(questions)) documents.push(`docs/${name}.md`);
  for (const document of documents) {
    const text = await readFile(document, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const path = join(dirname(document), target.split('#', 1)[0] ?? '');
      assert.ok(
        await stat(path).then(
          () => true,
          () => false,
        ),
        `${document} links to ${target}`,
      );
    }
  }
});

test.run();
