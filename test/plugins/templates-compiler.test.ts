// own-process: it counts the threads of its process
// time-limit: 240
// Templates are compiled in threads with limits. An expensive template is refused and delays no other call, a template that ends its
// thread fails alone, and no thread outlives its owner.
// full-run: slow
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { createTemplateCompiler, type TemplateCompiler } from '../../plugins/templates/compiler/compiler.ts';
import { WAITING_OF_WORKSPACE } from '../../plugins/templates/compiler/limits.ts';
import type { MailSource } from '../../plugins/templates/language/compile.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite<{ folder: string }>('compile threads', { folder: '' });

const root = resolve('.');
const words = '<b>x</b>'.repeat(400);
const css = 'i ~ b ~ b ~ b ~ b ~ b { color: red }';
/** Juice tries every chain of siblings that the selector could match. */
const hostile = {
  html: `<style>${css}</style>${words}`,
  mjml: `<mjml><mj-head><mj-style inline="inline">${css}</mj-style></mj-head><mj-body><mj-section><mj-column><mj-text>${words}</mj-text></mj-column></mj-section></mj-body></mjml>`,
} as const;

const mailOf = (body: string, mode: 'html' | 'mjml' = 'html'): MailSource => ({
  mode,
  body,
  subject: 'Hello',
  previewText: '',
});
const workers = (): number => (process.report.getReport() as unknown as { workers: unknown[] }).workers.length;
/** The threads of the test itself: running TypeScript may need one. */
const threadsBefore = workers();
const threads = (): number => workers() - threadsBefore;
/** Resolves when no compiler thread runs: after a service stops, its idle thread waits some seconds for the next service. */
const waitForThreadEnd = async (): Promise<void> => {
  while (threads() > 0) await wait(50);
};

const compileIn = (compiler: TemplateCompiler, id: string, body: string, signal?: AbortSignal) =>
  compiler.compile({ workspace: { id }, signal }, [mailOf(body)]);

/** The code or message of the call's error, or 'answered'. */
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: { code?: string; message?: string }) => error.code ?? error.message,
  );

test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-compiler-'));
});
test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

/** A worker program that does what the body says. It simulates a faulty compiler. */
async function faultyProgram(folder: string): Promise<string> {
  const file = join(folder, 'faulty.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';
    const kept = [];
    parentPort.on('message', ({ source: { body }, fresh }) => {
      parentPort.postMessage({ kind: 'step', step: 'inlining' });
      if (body === 'exit') process.exit(3);
      if (body === 'throw') throw new Error('Thrown on purpose.');
      if (body === 'hang') for (;;);
      if (body === 'hoard') for (;;) kept.push(new Array(100_000).fill(body + kept.length));
      if (body === 'quiet') return;
      const mail = { html: body, text: '', subject: '', previewText: '', placeholders: [] };
      parentPort.postMessage({ kind: 'compiled', result: { ok: true, mail } });
    });`,
  );
  return file;
}

for (const mode of ['html', 'mjml'] as const)
  test(`while a hostile template in ${mode} is compiled and refused, other calls are answered`, async () => {
    const { service, request, close } = await createTestService({ plugins: bareStandardPlugins });
    try {
      const key = `hostile-${mode}`;
      const body = { key, mode, subject: 'Hello', body: hostile[mode] };
      assert.is((await request('/v1/templates', { method: 'POST', body })).status, 201);
      let hasEnded = false;
      const publishing = request(`/v1/templates/${key}/publish`, { method: 'POST', body: {} }).finally(() => {
        hasEnded = true;
      });
      for (let call = 0; call < 10; call += 1) {
        await wait(50);
        assert.is((await request('/v1/workspace')).status, 200);
      }
      assert.is(hasEnded, false, 'other calls were answered only after the template');
      const refusal = await publishing;
      assert.is(refusal.status, 422);
      assert.is(refusal.body.error.code, 'template_invalid');
      const [detail] = refusal.body.error.details;
      assert.equal([detail.path, detail.code], ['body', 'too_expensive']);
      assert.match(
        detail.message,
        /inlining its (CSS|styles) took longer than 5 s\. Use fewer elements, and shorter sel/,
      );
      const preview = await request(`/v1/templates/${key}/render`, { method: 'POST', body: {} });
      assert.is(preview.body.error.details[0].code, 'too_expensive');
    } finally {
      await close();
    }
    await waitForThreadEnd();
    assert.ok(service);
  });

test('no thread is started before the first template', async () => {
  const { service, workspaceId, close } = await createTestService({ plugins: bareStandardPlugins });
  try {
    assert.is(threads(), 0);
    const { templates } = service.as(workspaceId);
    await templates.create({ key: 'plain', mode: 'html', subject: 'Hello', body: '<p>Hello {{ name }}</p>' });
    await templates.publish({ key: 'plain' });
    assert.is(threads(), 1);
    await templates.update({ key: 'plain', subject: 'Good day' });
    await templates.publish({ key: 'plain' });
    assert.is(threads(), 1, 'the thread is used again');
  } finally {
    await close();
  }
  const next = await createTestService({ plugins: bareStandardPlugins });
  try {
    assert.is(threads(), 1, 'the next service uses the thread');
    const { templates } = next.service.as(next.workspaceId);
    await templates.create({ key: 'plain', mode: 'html', subject: 'Hello', body: '<p>Hello {{ name }}</p>' });
    await templates.publish({ key: 'plain' });
    assert.is(threads(), 1);
  } finally {
    await next.close();
  }
  await waitForThreadEnd();
});

test('a workspace with expensive templates delays only its own calls', async ({ folder }) => {
  const compiler = createTemplateCompiler({ file: await faultyProgram(folder), stepSeconds: 2 });
  try {
    const order: string[] = [];
    const note = async (name: string, work: Promise<unknown>) => {
      await work;
      order.push(name);
    };
    await Promise.all([
      note('expensive', compileIn(compiler, 'a', 'hang')),
      note('the same workspace', compileIn(compiler, 'a', 'fine')),
      note('another one', compileIn(compiler, 'b', 'fine')),
      note('a third', compileIn(compiler, 'c', 'fine')),
    ]);
    assert.equal(order, ['another one', 'a third', 'expensive', 'the same workspace']);
  } finally {
    await compiler.stop();
  }
});

test('a template that needs too much memory is refused, and the process continues', async ({ folder }) => {
  const compiler = createTemplateCompiler({ file: await faultyProgram(folder), stepSeconds: 60 });
  try {
    const [result] = await compileIn(compiler, 'a', 'hoard');
    assert.ok(result?.ok === false);
    assert.equal(
      result.faults.map(({ path, code }) => [path, code]),
      [['body', 'too_expensive']],
    );
    assert.match(result.faults[0]?.message ?? '', /inlining its CSS took more than 256 MB of memory/);
    const [after] = await compileIn(compiler, 'a', 'fine');
    assert.is(after?.ok, true);
  } finally {
    await compiler.stop();
  }
});

for (const fault of ['exit', 'throw'])
  test(`a thread that ends by ${fault} fails only its own template`, async ({ folder }) => {
    const compiler = createTemplateCompiler({ file: await faultyProgram(folder) });
    try {
      const [own, behind, other] = await Promise.all([
        codeOf(compileIn(compiler, 'a', fault)),
        codeOf(compileIn(compiler, 'a', 'fine')),
        codeOf(compileIn(compiler, 'b', 'fine')),
      ]);
      assert.match(String(own), /^The compiler of templates failed: .*(code 3|Thrown on purpose)/);
      assert.equal([behind, other], ['answered', 'answered']);
    } finally {
      await compiler.stop();
    }
  });

test('the queue of templates is limited, and further calls fail with compiler_busy', async ({ folder }) => {
  const compiler = createTemplateCompiler({ file: await faultyProgram(folder), stepSeconds: 60 });
  const working = codeOf(compileIn(compiler, 'a', 'quiet'));
  const leaving = new AbortController();
  const aborted = codeOf(compileIn(compiler, 'a', 'fine', leaving.signal));
  const waiting = Array.from({ length: WAITING_OF_WORKSPACE - 1 }, () => codeOf(compileIn(compiler, 'a', 'fine')));
  assert.is(await codeOf(compileIn(compiler, 'a', 'fine')), 'compiler_busy');
  assert.is(await codeOf(compileIn(compiler, 'b', 'fine')), 'answered', 'another workspace still has room');
  leaving.abort(new Error('The caller is gone.'));
  assert.is(await aborted, 'The caller is gone.');
  waiting.push(codeOf(compileIn(compiler, 'a', 'fine')));
  await compiler.stop();
  assert.equal(new Set(await Promise.all([working, ...waiting])), new Set(['compiler_busy']));
  await waitForThreadEnd();
  assert.is(
    await codeOf(compileIn(compiler, 'a', 'fine')),
    'answered',
    'a stopped compiler starts again when it is used',
  );
  await compiler.stop();
});

test('an idle thread ends, and the next template starts another thread', async ({ folder }) => {
  const compiler = createTemplateCompiler({ file: await faultyProgram(folder), idleSeconds: 0.05 });
  try {
    await compileIn(compiler, 'a', 'fine');
    while (threads() > 0) await wait(20);
    assert.is(await codeOf(compileIn(compiler, 'a', 'fine')), 'answered');
  } finally {
    await compiler.stop();
  }
});

test('if the worker file is missing, as in a bundle, the error contains instructions', async ({ folder }) => {
  const compiler = createTemplateCompiler({ file: join(folder, 'nowhere.js') });
  const refused = await compileIn(compiler, 'a', 'fine').catch((error: unknown) => error);
  assert.is((refused as { code?: string }).code, 'compiler_missing');
  assert.match((refused as Error).message, /compile-worker\.js.* Mark postrider as external in your bundler/);
});

test('a bundled service compiles with a bundled program', async () => {
  // The program is stored next to the packages that it loads.
  const folder = join(root, `node_modules/.cache/bundled-${process.pid}`);
  const file = join(folder, 'compile-worker.cjs');
  const program = join(root, 'plugins/templates/compiler/compile-worker.ts');
  const external = ['mjml', 'juice', 'html-to-text'];
  const options = { bundle: true, platform: 'node', format: 'cjs', external, logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [program], outfile: file });
  const compiler = createTemplateCompiler({ file: pathToFileURL(file) });
  try {
    const [result] = await compileIn(compiler, 'a', '<style>b{color:red}</style><b>{{ name }}</b>');
    assert.ok(result?.ok);
    assert.match(result.mail.html, '<b style="color: red;">{{ name }}</b>');
  } finally {
    await compiler.stop();
    await rm(folder, { recursive: true });
  }
});

test.run();
