// Sequences in the code of the program: the time of publishing, processes that start together, and workspaces where publishing fails.
// full-run: slow
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createService } from '../../core/index.ts';
import { stderrLogger } from '../../core/kernel/options.ts';
import { checkSequences } from '../../hosts/cli/doctor/workspace-checks.ts';
import type { CodeSequence } from '../../plugins/sequences/code/code-sequence.ts';
import { sequencesPlugin } from '../../plugins/sequences/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { until } from '../support/job-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const head = { trigger: { kind: 'event' as const, type: 'signed_up' }, edges: [] };
const marking = (key: string, mark: string): CodeSequence => ({
  ...head,
  key,
  name: key,
  nodes: [{ id: mark, kind: 'update_contact', attributes: { [mark]: true } }],
});
const greeting = (variables: Record<string, unknown>): CodeSequence => ({
  ...head,
  key: 'greet',
  name: 'Greet',
  nodes: [{ id: 'mail', kind: 'send_email', templateKey: 'hello', variables }],
});
const lacks = 'mail: there is no template hello.';
const acme = { name: 'Acme', defaultFrom: { email: 'hello@acme.example', name: 'Acme' } };

await twoDatabases('sequences in code', (test, database) => {
  let prefix: string;
  const warnings: string[] = [];
  const news: string[] = [];
  test.before.each(() => {
    prefix = database.newPrefix();
    warnings.length = 0;
    news.length = 0;
  });
  const info = (_: Record<string, unknown>, message: string) => {
    news.push(message);
  };
  const warn = (fields: Record<string, unknown>, message: string) => {
    warnings.push(`${message} ${JSON.stringify(fields)}`);
  };

  /** Starts one process with these sequences. */
  const open = (sequences: readonly CodeSequence[]) =>
    createService({
      plugins: bareStandardPlugins.map((plugin) =>
        plugin.id === 'sequences' ? sequencesPlugin({ sequences }) : plugin,
      ) as typeof bareStandardPlugins,
      storage: database.createStorage(),
      tablePrefix: prefix,
      mail: captureMail(),
      logger: { ...stderrLogger, info, warn },
    });

  /** The status, version and nodes of a sequence; undefined if the sequence does not exist. */
  const readSequence = async (service: ReturnType<typeof open>, workspaceId: string, keyOrId: string) => {
    const { data } = await service.as(workspaceId).sequences.list({});
    if (!data.some(({ key }) => key === keyOrId)) return undefined;
    const { version, nodes, status } = await service.as(workspaceId).sequences.read({ keyOrId });
    return [status, version, nodes.map(({ id }) => id).join()];
  };

  test('code-defined sequences exist in every workspace when start() returns, even if several processes start at the same time', async () => {
    const before = open([]);
    await before.migrate();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await before.workspaces.create(acme)).id);
    await before.stop();
    for (const [round, mark] of ['one', 'two'].entries()) {
      const processes = [0, 1, 2].map(() => open([marking('mark', mark), marking('other', mark)]));
      try {
        await Promise.all(processes.map((process) => process.start()));
        const [first] = processes as [ReturnType<typeof open>];
        for (const id of ids) assert.equal(await readSequence(first, id, 'mark'), ['published', round + 1, mark]);
        for (const id of ids) assert.equal(await readSequence(first, id, 'other'), ['published', round + 1, mark]);
        const calls = first.as(String(ids[0]));
        await calls.events.emit({ type: 'signed_up', contact: { email: `${mark}@example.com` } });
        for (const keyOrId of ['mark', 'other'])
          await until(async () => (await calls.sequences.runs({ keyOrId })).data.length === round + 1);
      } finally {
        await Promise.all(processes.map((process) => process.stop()));
      }
    }
    assert.equal(warnings, []);
  });

  test('a sequence that cannot be published keeps its state, and is published as soon as its template is published', async () => {
    const before = open([]);
    await before.migrate();
    const { id } = await before.workspaces.create(acme);
    await before.stop();

    const lacking = open([greeting({ name: 'Ada' }), marking('mark', 'one')]);
    await lacking.start();
    assert.is(await readSequence(lacking, id, 'greet'), undefined);
    assert.equal(await readSequence(lacking, id, 'mark'), ['published', 1, 'one'], 'the other sequences are published');
    const drafts = (await lacking.as(id).sequences.list({ status: 'draft' })).data;
    assert.equal(
      drafts.map(({ key, source, version }) => [key, source, version]),
      [['greet', 'code', 0]],
      'a sequence that waits is visible as a draft',
    );
    const enrolment = lacking.as(id).sequences.enroll({ keyOrId: 'greet', contact: { email: 'ada@example.com' } });
    assert.equal(await enrolment.catch((error) => [error.code, error.message]), [
      'sequence_not_published',
      `The sequence greet is in the code of the program, and waits to be published in this workspace. ${lacks}`,
    ]);
    assert.equal(
      (await checkSequences(lacking, id)).map(({ state, text }) => [state, text]),
      [['note', `greet is in the code of the program, and waits to be published in this workspace. ${lacks}`]],
    );
    await lacking
      .as(id)
      .sequences.publish({ keyOrId: 'greet' })
      .then(
        () => assert.unreachable('a call published the sequence'),
        (error) => assert.match(error.message, /is defined in the code of the program, and is changed there only/),
      );
    assert.equal(warnings, [], 'a workspace without any of the sequences gets its templates in time');
    const waits = 'a code-defined sequence waits for the template hello';
    assert.is(news.filter((line) => line === waits).length, 1, news.join('\n'));
    const { templates } = lacking.as(id);
    await templates.create({ key: 'hello', mode: 'html', subject: 'Hello', body: '<p>Hello {{name}}</p>' });
    await templates.publish({ key: 'hello' });
    assert.equal(await readSequence(lacking, id, 'greet'), ['published', 1, 'mail']);
    assert.equal(await checkSequences(lacking, id), []);
    assert.equal(warnings, []);
    await lacking.stop();

    const wrong = open([greeting({ nmae: 'Ada' })]);
    await wrong.start();
    assert.equal(await readSequence(wrong, id, 'greet'), ['published', 1, 'mail']);
    const { nodes } = await wrong.as(id).sequences.read({ keyOrId: 'greet' });
    assert.match(JSON.stringify(nodes), /"name":"Ada"/, 'the older version stays published');
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(String(warnings[0]), /its published version stays.*mail gives no name, which the template hello/);
    const otherWorkspace = await wrong.workspaces.create(acme);
    assert.is(await readSequence(wrong, otherWorkspace.id, 'greet'), undefined, 'a new workspace is checked, too');
    assert.equal(warnings, warnings.slice(0, 1));
    assert.is(news.filter((line) => line === waits).length, 2);
    await wrong.stop();
  });

  test('a draft from the code changes with the code, is archived if the code drops it, and returns if the code has it again', async () => {
    const before = open([]);
    await before.migrate();
    const { id } = await before.workspaces.create(acme);
    await before.stop();
    const draftOf = async (sequences: readonly CodeSequence[]) => {
      const service = open(sequences);
      try {
        await service.start();
        const { status, version, nodes } = await service.as(id).sequences.read({ keyOrId: 'greet' });
        return [status, version, JSON.stringify(nodes).includes('Grace')];
      } finally {
        await service.stop();
      }
    };
    assert.equal(await draftOf([greeting({ name: 'Ada' })]), ['draft', 0, false]);
    assert.equal(await draftOf([greeting({ name: 'Grace' })]), ['draft', 0, true]);
    assert.equal(await draftOf([]), ['archived', 0, true]);
    assert.equal(await draftOf([greeting({ name: 'Ada' })]), ['draft', 0, false]);
  });
});
