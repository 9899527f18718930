// Bundles the function into dist: npx tsx examples/lambda/build.ts [--mcp] [--mysql] [FOLDER [ENTRY]]. The entry is function.ts.
// With --mcp the function serves tools, with --mysql it runs on MySQL or MariaDB: their packages are bundled, too.
// function.cjs starts program.cjs, the bundle, with V8's code cache, because compiling is half of a cold start. If the
// function's Node.js refuses the cache, the function logs how to write another one with write-cache.cjs.
// compile-worker.cjs compiles a template in a thread when the template is published, decode-worker.cjs reads QR codes,
// picture-process.cjs opens pictures in a separate process. A cold start does not load these files.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';

/** Optional parts of a bundle. */
export interface BundleParts {
  /** The MCP SDK, for a function that serves tools. (Default: false) */
  readonly mcp?: boolean;
  /** The driver of MySQL and MariaDB. (Default: false) */
  readonly mysql?: boolean;
}

/** The packages of the optional parts. */
const packagesOf = ({ mcp = false, mysql = false }: BundleParts): readonly string[] => [
  ...(mcp ? ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server'] : []),
  ...(mysql ? ['mysql2'] : []),
];

/**
 * Packages that are not bundled, except the packages of optional parts. The packages of QR codes and images are installed
 * into the bundle's folder: sharp is native, and zxing-wasm reads a file next to it. The packages of templates are in
 * compile-worker.cjs.
 */
const externalPackages = [
  'better-sqlite3',
  'mysql2',
  'ioredis',
  'mjml',
  'juice',
  'html-to-text',
  'qrcode',
  'sharp',
  'zxing-wasm',
  'mmdb-lib',
  'pdfkit',
  'bidi-js',
  'twilio',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  'pg-native',
  // Packages that only the command line and a started process use.
  'sanitize-html',
  'jiti',
  'node-cron',
];

/** Bundles only Zod's English messages, because its other languages are a tenth of the bundle. */
const englishOnlyPlugin: Plugin = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Runs the bundle as one function with the variables of a module. */
const start = `const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');
const file = join(__dirname, 'program.cjs');
// V8 checks its version and its flags in the cache, but not the type of the processor.
const cacheName = \`program.\${process.arch}.cache\`;
function readCache() {
  try {
    return readFileSync(join(__dirname, cacheName));
  } catch {
    return undefined;
  }
}
const cachedData = readCache();
const script = new vm.Script(readFileSync(file, 'latin1'), {
  filename: file,
  ...(cachedData === undefined ? {} : { cachedData }),
});
script.runInThisContext()(exports, require, module, file, __dirname, pathToFileURL(file).href);
`;

const startFunction = `${start}if (cachedData === undefined || script.cachedDataRejected)
  console.warn(
    \`\${cacheName} is missing, or was written by another Node.js. Write it under \${process.version} on \${process.arch} with: node \${[...process.execArgv, 'write-cache.cjs'].join(' ')}\`,
  );
`;

/** The first event of a bundle, so that the cache contains its code too. It has no key, so it reaches no server. */
const firstEvent = {
  version: '2.0',
  rawPath: '/v1/workspace',
  rawQueryString: '',
  headers: {},
  requestContext: { http: { method: 'GET', path: '/v1/workspace', sourceIp: '192.0.2.1' } },
  isBase64Encoded: false,
};

/** The options of every bundle. */
const script = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  // V8 has code caches for scripts, but not for ES modules.
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
} as const satisfies BuildOptions;

/**
 * Creating the service opens no connection. The secret is a placeholder: no secret of the function is read. The region is
 * set, as on Lambda, because adapters for AWS read it.
 */
const writeCache = `// The message alone: Node.js would print the line of the program, which is all of it.
process.on('uncaughtException', (error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
process.env.NODE_ENV = 'production';
delete process.env.SECRET_ID;
delete process.env.PARAMETER_NAME;
process.env.AWS_REGION ||= 'us-east-1';
process.env.POSTRIDER_KEY = require('node:crypto').randomBytes(32).toString('hex');
process.env.DATABASE_URL ||= 'postgres://127.0.0.1/none';
process.env.SMTP_HOST ||= '127.0.0.1';
// The part of Lambda's runtime that a streaming function uses.
globalThis.awslambda = {
  streamifyResponse: (handler) => (event, context) =>
    handler(event, new (require('node:stream').PassThrough)().resume(), context),
  HttpResponseStream: { from: (stream) => stream },
};
${start}module.exports
  .handler(${JSON.stringify(firstEvent)}, { awsRequestId: '1', getRemainingTimeInMillis: () => 10000 })
  .then(() => require('node:fs').writeFileSync(join(__dirname, cacheName), script.createCachedData()))
  .then(() => process.exit());
`;

async function loadEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild');
  } catch (cause) {
    if (!String((cause as NodeJS.ErrnoException).code).endsWith('MODULE_NOT_FOUND')) throw cause;
    throw new Error('esbuild is missing. Install it: npm install --save-dev esbuild', { cause });
  }
}

/** Writes the bundle into the folder, with a cache for the current Node.js. Returns the bundled files. */
export async function bundleFunction(entry: string, folder: string, parts: BundleParts = {}): Promise<Metafile> {
  // V8 checks only the length of a program: the cache of an earlier program would run in its place.
  for (const arch of ['x64', 'arm64', process.arch]) rmSync(join(folder, `program.${arch}.cache`), { force: true });
  const { build } = await loadEsbuild();
  const { metafile } = await build({
    ...script,
    entryPoints: { program: entry },
    outdir: folder,
    external: externalPackages
      .filter((name) => !packagesOf(parts).includes(name))
      .flatMap((name) => [name, `${name}/*`]),
    // Converts each import() to require: on Node.js 20, a script from a cache cannot import.
    supported: { 'dynamic-import': false },
    banner: { js: '(function (exports, require, module, __filename, __dirname, importMetaUrl) {' },
    footer: { js: '})' },
    define: {
      'import.meta.url': 'importMetaUrl',
      // To detect a browser, pg creates a Response, which would load all of fetch at the start.
      navigator: '{"userAgent":"Node.js"}',
    },
    plugins: [englishOnlyPlugin],
    metafile: true,
  });
  await build({
    ...script,
    entryPoints: { 'compile-worker': 'postrider/compile-worker' },
    outdir: folder,
    // The settings loader of mjml's packages would use it to read TypeScript. Many projects lack it.
    external: ['typescript'],
  });
  await build({
    ...script,
    entryPoints: { 'decode-worker': 'postrider/qr-decode-worker' },
    outdir: folder,
    external: ['zxing-wasm', 'zxing-wasm/*'],
    define: { 'import.meta.filename': '__filename' },
  });
  await build({
    ...script,
    entryPoints: { 'picture-process': 'postrider/picture-process' },
    outdir: folder,
    external: ['sharp'],
  });
  await build({ ...script, entryPoints: { 'markdown-worker': 'postrider/markdown-worker' }, outdir: folder });
  writeFileSync(join(folder, 'function.cjs'), startFunction);
  writeFileSync(join(folder, 'write-cache.cjs'), writeCache);
  const env = { ...process.env, NODE_OPTIONS: '' };
  try {
    execFileSync(process.execPath, [join(folder, 'write-cache.cjs')], { env, stdio: 'inherit' });
  } catch (cause) {
    for (const name of [
      'program',
      'compile-worker',
      'decode-worker',
      'picture-process',
      'markdown-worker',
      'function',
      'write-cache',
    ])
      rmSync(join(folder, `${name}.cjs`), { force: true });
    throw new Error('The service does not compose, so no bundle was written.', { cause });
  }
  return metafile;
}

// Also works in a CommonJS project: no await outside of a function, and no import.meta.dirname.
const program = fileURLToPath(import.meta.url);
if (program === process.argv[1]) {
  const args = process.argv.slice(2);
  const [folder, entry = 'function.ts'] = args.filter((word) => !word.startsWith('--'));
  const parts = { mcp: args.includes('--mcp'), mysql: args.includes('--mysql') };
  bundleFunction(join(dirname(program), entry), folder ?? join(dirname(program), 'dist'), parts).catch(
    (error: unknown) => {
      process.exitCode = 1;
      console.error(error instanceof Error ? error.message : error);
    },
  );
}
