// The examples of the reference page run as shown: curl in a shell, fetch in a program, the typed call, the tool through a client. Each
// runs on a service in the state of its recording, and is answered as the page shows. Quick runs include every line of curl, and the
// other forms of every third operation, because all forms are written by the same rules.
// time-limit: 600
// full-run: slow
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation } from '../../core/index.ts';
import { shorten } from '../../hosts/testing/record-examples.ts';
import { type StagedExample, stageExample } from '../../hosts/testing/stage-example.ts';
import { type AnyClient, generations } from '../core/mcp-generations.ts';
import { longTests } from '../support/long-tests.ts';
import { readExamples, serve } from '../support/reference-page.ts';
import { standardExamples } from '../support/standard-examples.ts';
import { createProgramFolder, removeFolder, typeFaults } from './documents.ts';

const runFile = promisify(execFile);
const test = suite<{ folder: string }>('examples of the reference', { folder: '' });
const [connect] = Object.values(generations).slice(-1) as [(key: string, url: string) => Promise<AnyClient>];
const placeholder = 'http://localhost:3000';

const bench = await standardExamples.open();
const operations = [...bench.service.core.registry.operations.values()];
const document = bench.service.openapi();
const page = await bench.service.dispatch({ method: 'GET', url: '/docs/', headers: {}, body: undefined });
const examples = readExamples(String(page.body));
await bench.close();

/** The page's example of an operation. */
function example(id: string) {
  const section = examples.get(id);
  assert.ok(section !== undefined, `the page has no section ${id}`);
  return section as NonNullable<typeof section>;
}

interface ServedStage {
  readonly stage: StagedExample;
  readonly served: Awaited<ReturnType<typeof serve>>;
}
let openedStage: ServedStage | undefined;

async function closeStage(): Promise<void> {
  const last = openedStage;
  openedStage = undefined;
  await last?.served.close();
  await last?.stage.test.close();
}

/** All forms of a read share a stage. So do the forms of a call with replay, except the tool, whose request may differ. */
async function stageOf(operation: Operation, form: 'tool' | undefined): Promise<ServedStage> {
  const isSharedStage = operation.idempotency === 'read' || (operation.idempotency === 'replay' && form === undefined);
  if (openedStage?.stage.operation === operation && isSharedStage) return openedStage;
  await closeStage();
  const stage = await stageExample(standardExamples, operation);
  openedStage = { stage, served: await serve(stage.test) };
  return openedStage;
}

/** Runs `work` on an operation's stage. `code` returns a form of the example's code, with the ids and the address of this run. */
async function runOnStage(
  operation: Operation,
  work: (stage: StagedExample, url: string, code: (form: string) => string) => Promise<void>,
  ownForm?: 'tool',
): Promise<void> {
  const { stage, served } = await stageOf(operation, ownForm);
  const { forms } = example(operation.id);
  await work(stage, served.url, (form) => {
    const code = forms[form] ?? '';
    assert.ok(code !== '', `${operation.id} has no ${form}`);
    return stage.ids.restore(code).replaceAll(placeholder, served.url);
  });
}

const environment = (key: string) => ({ ...process.env, POSTRIDER_API_KEY: key, NO_PROXY: '127.0.0.1' });

/** Field names and types of values; null matches any type. */
function shapeOf(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function sameShape(one: unknown, otherShape: unknown): boolean {
  if (one === null || otherShape === null) return true;
  if (typeof one !== 'object' || typeof otherShape !== 'object') return one === otherShape;
  const names = Object.keys(one);
  return (
    names.join() === Object.keys(otherShape).join() &&
    names.every((name) =>
      sameShape((one as Record<string, unknown>)[name], (otherShape as Record<string, unknown>)[name]),
    )
  );
}

function assertShape(id: string, answer: unknown): void {
  const expectedAnswer = JSON.parse(example(id).answer) as unknown;
  assert.ok(
    sameShape(shapeOf(shorten(answer)), shapeOf(expectedAnswer)),
    `${id} is answered ${JSON.stringify(shapeOf(answer))}, and the page shows ${JSON.stringify(shapeOf(expectedAnswer))}`,
  );
}

test.before(async (context) => {
  context.folder = await createProgramFolder();
});
test.after(async ({ folder }) => {
  await closeStage();
  await removeFolder(folder);
});

test('every composed operation has its forms on the page', () => {
  assert.ok(operations.length > 10);
  for (const { id, tool } of operations)
    assert.equal(
      Object.keys(example(id).forms),
      ['curl', 'fetch', 'typed', ...(tool === undefined ? [] : ['tool'])],
      id,
    );
});

test('every example in the OpenAPI document matches its schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  const pointer = (...steps: string[]) =>
    steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  let checkedCount = 0;
  for (const { path, method, status, id } of operations) {
    const object = pointer('paths', path, method.toLowerCase());
    const { paths } = document as Record<'paths', Record<string, Record<string, unknown>>>;
    const info = paths[path]?.[method.toLowerCase()] as {
      requestBody?: { content: Record<string, { example?: unknown }> };
      responses: Record<string, { content: Record<string, { example?: unknown }> }>;
    };
    const media = [
      [pointer('requestBody', 'content', 'application/json', 'schema'), info.requestBody?.content['application/json']],
      [
        pointer('responses', String(status), 'content', 'application/json', 'schema'),
        info.responses[status]?.content['application/json'],
      ],
    ] as const;
    for (const [pointer, one] of media) {
      if (one === undefined) continue;
      assert.ok(one.example !== undefined, `${id} has no recorded example: npm run docs`);
      const validate = ajv.compile({ $ref: `document#/${object}/${pointer}` });
      assert.ok(validate(one.example), `${id}: ${ajv.errorsText(validate.errors)}`);
      checkedCount += 1;
    }
  }
  assert.ok(checkedCount > operations.length);
});

for (const [index, operation] of operations.entries()) {
  const { id, status } = operation;

  test(`${id}: the curl line gets the answer that is shown`, () =>
    runOnStage(operation, async ({ test: { liveKey }, ids }, _url, code) => {
      const line = `${code('curl')} --silent --show-error --noproxy '*' --write-out '\\n%{http_code}'`;
      const { stdout } = await runFile('sh', ['-c', line], { env: environment(liveKey) });
      const end = stdout.lastIndexOf('\n');
      assert.is(stdout.slice(end + 1), String(status), stdout);
      assert.ok(example(id).title.startsWith(String(status)));
      assert.equal(ids.replace(shorten(JSON.parse(stdout.slice(0, end)))), JSON.parse(example(id).answer));
    }));

  if (!longTests && index % 3 !== 0) continue;
  test(`${id}: the program with fetch gets the answer that is shown`, ({ folder }) =>
    runOnStage(operation, async ({ test: { liveKey }, ids }, _url, code) => {
      const file = join(folder, `${id}.fetch.mjs`);
      await writeFile(file, `${code('fetch')}\nexport const printed = JSON.stringify(answer);\n`);
      // Runs in this process, whose only change is the example's key: starting a process takes longer than the call.
      process.env['POSTRIDER_API_KEY'] = liveKey;
      const { printed } = (await import(pathToFileURL(file).href)) as { printed: string };
      assert.equal(ids.replace(shorten(JSON.parse(printed))), JSON.parse(example(id).answer));
    }));

  test(`${id}: the typed call returns the shape that is shown`, () =>
    runOnStage(operation, async ({ test: { service, workspaceId } }, _url, code) => {
      const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
      const call = new AsyncFunction('service', 'workspaceId', `${code('typed')}\nreturn answer;`);
      assertShape(id, await call(service, workspaceId));
    }));

  if (operation.tool === undefined) continue;
  test(`${id}: the tool returns the shape that is shown`, () =>
    runOnStage(
      operation,
      async ({ test: { liveKey } }, url, code) => {
        const client = await connect(liveKey, `${url}/v1/mcp`);
        try {
          await client.listTools();
          const result = await client.callTool(JSON.parse(code('tool')) as { name: string });
          assert.not.ok(result.isError, result.content[0]?.text);
          assertShape(id, result.structuredContent);
        } finally {
          await client.close();
        }
      },
      'tool',
    ));
}

test('the typed calls type-check', async ({ folder }) => {
  const calls = operations.map(
    ({ id }, index) => `export async function call${index}() {\n${example(id).forms.typed}\nreturn answer;\n}`,
  );
  const program = `import { createService } from 'postrider';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

const service = createService({ plugins: standardPlugins, storage: sqliteStorage({ filename: ':memory:' }) });
const workspaceId = 'ws_1';
${calls.join('\n')}
`;
  await writeFile(join(folder, 'typed-calls.mts'), program);
  assert.is(await typeFaults(folder), '');
});

test.run();
