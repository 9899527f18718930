// Importing HTML as pages: the command, and the operations that refuse imported pages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { importPageCommand } from '../../plugins/pages/commands/import-page.ts';
import { commandContext } from '../support/command-context.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

await twoDatabases('importing pages', (test, database) => {
  let bench: TestService<(typeof bareStandardPlugins)[number]['id']>;
  const cwd = mkdtempSync(join(tmpdir(), 'postrider-import-'));
  test.before(async () => {
    bench = await migratedTestService(database, { plugins: bareStandardPlugins });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });
  });
  test.after(async () => {
    await bench.close();
    rmSync(cwd, { recursive: true, force: true });
  });

  const run = (html: string, options: object = {}) => {
    writeFileSync(join(cwd, 'page.html'), html);
    const commandOptions = { cwd, say: () => undefined, signal: new AbortController().signal };
    const context = commandContext(bench.service, bench.workspaceId, commandOptions);
    return importPageCommand.run(context, {
      file: 'page.html',
      replace: false,
      sandbox: false,
      ...options,
    }) as Promise<{
      id: string;
      slug: string;
    }>;
  };
  const messageOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return (error as Error).message;
    }
    return assert.unreachable('the import was not refused') as never;
  };
  const call = (id: string, method: string, path = '', body: object = {}) =>
    bench.request(`/v1/pages/${id}${path}`, {
      method,
      body,
      headers: { 'idempotency-key': `${id} ${method} ${path} ${JSON.stringify(body)}` },
    });
  const pages = () => bench.service.as(bench.workspaceId).pages;
  const htmlOf = async (id: string) =>
    (await bench.service.core.database()).read(bench.workspaceId, async (handle) => {
      const page = await bench.service.core.services.pages.published(handle.onSide(false), id);
      return page?.content.html;
    });

  test('an imported page can be published, but it can neither be composed nor be edited by sections', async () => {
    const { id, slug } = await run('<h1>About us</h1><p>Bread.</p><script>alert(1)</script>');
    const page = await pages().read({ idOrSlug: id });
    assert.equal(
      [slug, page.title, page.editor, page.composeStatus, page.status, page.sections],
      ['about-us', 'About us', 'retired', 'ready', 'draft', []],
    );
    for (const answer of [
      await call(id, 'POST', '/compose', { brief: 'Other.' }),
      await call(id, 'PATCH', '', { sections: [] }),
    ])
      assert.equal([answer.status, answer.body.error.code], [409, 'retired_editor']);
    assert.is((await call(id, 'PATCH', '', { title: 'About' })).status, 200);
    assert.is((await call(id, 'POST', '/publish')).body.version, 1);
    assert.is(await htmlOf(id), '<h1>About us</h1><p>Bread.</p>');
    const audit = (await bench.request('/v1/audit?action=page.import')).body.data[0];
    assert.equal(audit.target, { kind: 'page', id });
  });

  test('a second import with --replace replaces the text of the same page', async () => {
    const { id } = await run('<h1>Prices</h1><p>Old.</p>');
    await call(id, 'POST', '/publish');
    assert.match(await messageOf(run('<h1>Prices</h1>', { slug: 'prices' })), 'The slug prices is taken');
    const secondImport = await run('<h1>Prices</h1><p>New.</p>', { slug: 'prices', replace: true });
    assert.is(secondImport.id, id);
    assert.is(await htmlOf(id), '<h1>Prices</h1><p>Old.</p>', 'visitors see the new text after it is published');
    assert.is((await pages().publish({ idOrSlug: id })).version, 2);
    assert.is(await htmlOf(id), '<h1>Prices</h1><p>New.</p>');
    const { slug } = await pages().create({ brief: 'A page about bread.' });
    assert.match(await messageOf(run('<p>x</p>', { title: 'x', slug, replace: true })), 'it has sections');
  });

  test('a file is refused if it is unreadable, too long, or has no text or title', async () => {
    assert.match(await messageOf(run('<script>alert(1)</script>')), 'has no text');
    assert.match(await messageOf(run('<p>x</p>')), '--title');
    assert.match(await messageOf(run(`<h1>x</h1><p>${'x'.repeat(80_001)}</p>`)), 'Split it');
    assert.match(await messageOf(run('<h1>x</h1>', { slug: 'Blog' })), '--slug Blog');
    assert.match(await messageOf(run('<h1>x</h1>', { file: 'missing.html' })), 'missing.html cannot be read');
  });

  test('on the sandbox side the import creates a sandbox page', async () => {
    const { id } = await run('<h1>Tried</h1>', { sandbox: true });
    assert.is((await bench.request(`/v1/pages/${id}`)).status, 404);
    assert.is((await bench.request(`/v1/pages/${id}`, { key: bench.testKey })).body.sandbox, true);
  });
});
