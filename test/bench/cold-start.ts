// A function's cold start: `npx tsx test/bench/cold-start.ts [--rounds 10]`. Milliseconds from the start of its process to its first
// answer on AWS's runtime client. Compares the bundled example with all plugins, with and without its code cache, to Fastify with
// @fastify/aws-lambda and the same number of routes, each with a schema: bundled in the usual way, and like the example.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundleFunction } from '../../examples/lambda/build.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { httpEvent } from '../hosts/lambda-events.ts';
import { root } from '../support/bundle.ts';
import { httpResponseOf } from '../support/lambda-responses.ts';
import { hasLambdaRuntime, startFunction } from '../support/lambda-runtime.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(values.rounds);

/** The same number of routes as the service, each with a body of three fields and an answer of four. */
const floorSource = (routes: number): string => `
import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
export const app = fastify();
const text = { type: 'string', maxLength: 200 };
const body = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: text, label: text, limit: { type: 'integer', minimum: 1, maximum: 100 } } };
const answer = { type: 'object', properties: { id: text, name: text, label: text, created_at: text } };
for (let index = 0; index < ${routes}; index += 1) {
  const schema = { ...(index % 2 === 0 ? {} : { body }), response: { 200: answer } };
  app.route({ method: index % 2 === 0 ? 'GET' : 'POST', url: '/v1/area' + index + '/:id', schema, handler: async () => ({ id: 'one', name: 'two', label: 'three', created_at: 'now' }) });
}
app.get('/v1/workspace', async (request, reply) => reply.code(401).send({ error: 'no key' }));
export const handler = awsLambdaFastify(app);
`;

/** Bundles like most functions: an ES module without a code cache, which is ready before its first event. */
const bundleUsual = (entry: string, outfile: string) =>
  build({
    stdin: {
      contents: `import { app } from ${JSON.stringify(entry)};\nexport * from ${JSON.stringify(entry)};\nawait app.ready();`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });

/** Milliseconds from the start of a process to its first answer, and processor time until then. */
async function measureColdStart(folder: string): Promise<number> {
  const startedAt = performance.now();
  const env = {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    POSTRIDER_KEY: 'a secret for the bench, 32 bytes or more',
  };
  const instance = await startFunction({ folder, handler: 'function.handler', env });
  const answer = httpResponseOf(
    await instance.invoke(httpEvent({ method: 'GET', path: '/v1/workspace', headers: {} })),
  );
  const took = performance.now() - startedAt;
  await instance.stop();
  if (answer.status !== 401) throw new Error(`The first answer was ${answer.status}: ${answer.body}`);
  return took;
}

if (!hasLambdaRuntime()) process.exit(1);
const folder = mkdtempSync(join(root, 'node_modules/.cache/cold-start-'));
try {
  const { service, close } = await createTestService({ plugins: bareStandardPlugins });
  const routes = service.core.registry.operations.size;
  await close();
  const floor = join(folder, 'floor');
  const bundledFolder = join(folder, 'bundled');
  const uncachedFolder = join(folder, 'uncached');
  const cachedFloor = join(folder, 'floor-cached');
  const emptyFolder = mkdtempSync(join(tmpdir(), 'postrider-nothing-'));
  writeFileSync(join(folder, 'floor.ts'), floorSource(routes));
  writeFileSync(
    join(emptyFolder, 'function.mjs'),
    "export const handler = async () => ({ statusCode: 401, headers: {}, body: '' });\n",
  );
  await bundleUsual(join(folder, 'floor.ts'), join(floor, 'function.mjs'));
  await bundleFunction(join(folder, 'floor.ts'), cachedFloor);
  const metafile = await bundleFunction(join(root, 'examples/lambda/function.ts'), bundledFolder);
  cpSync(bundledFolder, uncachedFolder, { recursive: true });
  rmSync(join(uncachedFolder, `program.${process.arch}.cache`));
  const folders: Readonly<Record<string, string>> = {
    nothing: emptyFolder,
    Fastify: floor,
    'Fastify, cached': cachedFloor,
    Postrider: bundledFolder,
    'Postrider, no cache': uncachedFolder,
  };
  const times = new Map<string, number[]>(Object.keys(folders).map((name) => [name, []]));
  const ratios = new Map<string, number[]>([...times.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, folder] of Object.entries(folders)) times.get(name)?.push(await measureColdStart(folder));
    // The ratio leaves out the time that the runtime and Node need themselves.
    const last = (name: string) =>
      (times.get(name)?.at(-1) ?? Number.NaN) - (times.get('nothing')?.at(-1) ?? Number.NaN);
    for (const [name, list] of ratios) list.push(last(name) / last('Fastify'));
  }
  rmSync(emptyFolder, { recursive: true });
  const median = (list: readonly number[]) =>
    [...list].sort((one, other) => one - other)[list.length >> 1] ?? Number.NaN;
  const table = [...times].map(([name, list]) => ({
    function: name,
    'ms, least': Math.round(Math.min(...list)),
    'ms, median': Math.round(median(list)),
    'ms, most': Math.round(Math.max(...list)),
    '× Fastify': Number(median(ratios.get(name) ?? []).toFixed(2)),
  }));
  const bytes = Object.entries(metafile.outputs).find(([path]) => path.endsWith('program.cjs'))?.[1].bytes;
  console.table(table);
  console.log(JSON.stringify({ rounds, routes, bytes, table }));
} finally {
  rmSync(folder, { recursive: true });
}
