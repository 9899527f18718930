// Missing optional packages: every form of the error in runtimes and bundlers, and the message for each package
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMissingPackage, loadOptional, missingPackageName } from '../../core/contract/errors/missing-package.ts';
import { MissingSdkError } from '../../core/mcp/sdk.ts';
import { PictureError } from '../../core/pictures/picture-pool.ts';
import { withPictures } from '../../plugins/designs/picture-process.ts';
import { loadPdfkit } from '../../plugins/lead-magnets/pdf/packages.ts';
import { loadPackage } from '../../plugins/qr/packages.ts';
import { errors as templateErrors } from '../../plugins/templates/errors.ts';
import { optionalPackage } from '../../plugins/templates/language/optional-package.ts';
import { sourceFiles } from '../support/bundle.ts';

const test = suite('missing package');

const errorWithCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** The error of Bun, which is not an Error in every version */
const resolveMessage = {
  name: 'ResolveMessage',
  code: 'ERR_MODULE_NOT_FOUND',
  message: "Cannot find package 'sharp' from '/app/server.js'",
};

const forms: Readonly<Record<string, unknown>> = {
  'an import of Node.js': errorWithCode(
    'ERR_MODULE_NOT_FOUND',
    "Cannot find package 'sharp' imported from /app/main.mjs",
  ),
  'a require of Node.js': errorWithCode(
    'MODULE_NOT_FOUND',
    "Cannot find module 'sharp'\nRequire stack:\n- /app/main.cjs",
  ),
  "a file of a package, in webpack's words": errorWithCode(
    'MODULE_NOT_FOUND',
    "Cannot find module 'sharp/lib/index.js'",
  ),
  "Bun's ResolveMessage": resolveMessage,
  "Bun's without a code": { name: 'ResolveMessage', message: resolveMessage.message },
  'a message alone': new Error("Cannot find module 'sharp'"),
  'double quotes': new Error('Cannot find package "sharp"'),
  "Turbopack's sentence": new Error(
    "Failed to load external module sharp-1a2b: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'sharp' imported from /app/.next/server/chunk.js",
  ),
  "Vite's sentence of an optional peer": new Error(
    'Could not resolve "sharp" imported by "postrider". Is it installed?',
  ),
  "Rollup's sentence": new Error(
    'Could not dynamically require "sharp". Please configure the dynamicRequireTargets or/and ignoreDynamicRequires option',
  ),
  "sharp's own error, if its native part is missing": new Error(
    'Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:',
  ),
  'a cause': new Error('The chunk failed.', { cause: errorWithCode('MODULE_NOT_FOUND', "Cannot find module 'sharp'") }),
  'the cause of a cause': new Error('a', { cause: new Error('b', { cause: resolveMessage }) }),
};

for (const [form, error] of Object.entries(forms)) {
  test(`the function recognises and names a missing package in ${form}`, async () => {
    assert.is(isMissingPackage(error), true);
    assert.is(missingPackageName(error), 'sharp');
    const refusal = new TypeError('sharp is missing');
    const receivedErrors: unknown[] = [];
    const loading = loadOptional(
      () => Promise.reject(error),
      (cause) => {
        receivedErrors.push(cause);
        return refusal;
      },
    );
    assert.is(await loading.catch((thrown: unknown) => thrown), refusal);
    assert.equal(receivedErrors, [error]);
  });
}

test('the function recognises a bundle that throws before there is a promise', async () => {
  const loading = loadOptional<never>(
    () => {
      throw errorWithCode('MODULE_NOT_FOUND', "Cannot find module 'mjml'");
    },
    () => new TypeError('mjml is missing'),
  );
  assert.instance(await loading.catch((thrown: unknown) => thrown), TypeError);
});

test('the function keeps the scope of a package name and drops the path', () => {
  const error = new Error("Cannot find module '@modelcontextprotocol/sdk/types.js'");
  assert.is(missingPackageName(error), '@modelcontextprotocol/sdk');
});

test('the function does not treat a missing file as a package, although the error code is the same', () => {
  for (const file of ['./lost.js', '/app/lost.js', 'C:\\app\\lost.js', 'file:///app/lost.js'])
    assert.is(
      missingPackageName(errorWithCode('ERR_MODULE_NOT_FOUND', `Cannot find module '${file}' imported from x`)),
      undefined,
    );
});

test('the function passes every other error on unchanged', async () => {
  const circle = new Error('a circle') as Error & { cause?: unknown };
  circle.cause = circle;
  const otherErrors: unknown[] = [
    new TypeError('sharp is not a function'),
    errorWithCode('ERR_PACKAGE_PATH_NOT_EXPORTED', 'Package subpath ./x is not defined by "exports"'),
    errorWithCode('ERR_DLOPEN_FAILED', 'sharp.node: invalid ELF header'),
    new SyntaxError('İ \u{1f468}‍\u{1f469} \ud800'),
    circle,
    'Cannot find module',
    undefined,
    null,
    { code: 404, message: 7 },
  ];
  for (const otherError of otherErrors) {
    assert.is(isMissingPackage(otherError), false, String(otherError));
    const loading = loadOptional(
      () => Promise.reject(otherError),
      () => new Error('missing'),
    );
    assert.is(await loading.then(undefined, (thrown: unknown) => thrown), otherError);
  }
});

/** Fails like a bundle, without an error code. */
const failAsBundle = (name: string) => () => Promise.reject(new Error(`Cannot find module '${name}'`));
const thrownBy = async (work: Promise<unknown>): Promise<{ status?: number; message?: string }> =>
  work.then(
    () => ({}),
    (error: { status?: number; message?: string }) => error,
  );
const templates = 'mjml juice html-to-text';
const codes = 'qrcode sharp zxing-wasm';
const sdks = '@modelcontextprotocol/sdk @modelcontextprotocol/server';

/** Each package, the packages that the message tells to install, and a call that fails without the package */
const refusals: readonly (readonly [name: string, install: string, refusal: () => Promise<{ message?: string }>])[] = [
  ...['mjml', 'juice', 'html-to-text'].map(
    (name) =>
      [
        name,
        templates,
        async () => {
          const missing = (await thrownBy(optionalPackage(name, failAsBundle(name)))) as { package?: string };
          return templateErrors.compiler_missing({ kind: 'package', name: missing.package ?? '' });
        },
      ] as const,
  ),
  ...['qrcode', 'sharp', 'zxing-wasm'].map(
    (name) => [name, codes, () => thrownBy(loadPackage(name, failAsBundle(name)))] as const,
  ),
  ['sharp', 'sharp', () => thrownBy(withPictures(() => Promise.reject(new PictureError('package_missing', ''))))],
  ['pdfkit', 'pdfkit', () => thrownBy(loadPdfkit(failAsBundle('pdfkit')))],
];

for (const [name, install, refusal] of refusals) {
  test(`a feature without ${name} responds with 501 and the message: npm install ${install}`, async () => {
    const { message = '', ...rest } = await refusal();
    assert.is((rest as { status?: number }).status, 501);
    assert.ok(message.includes(`The package ${name}, `), message);
    assert.ok(message.endsWith(`: npm install ${install}`), message);
  });
}

test(`the MCP endpoint without its packages has the message: npm install ${sdks}`, () => {
  for (const name of sdks.split(' ')) {
    const { message } = new MissingSdkError(name, undefined);
    assert.ok(message.includes(`The package ${name}, `) && message.endsWith(`: npm install ${sdks}`), message);
  }
});

test('every optional peer dependency is loaded through the same function', async () => {
  const { peerDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
    peerDependencies: Readonly<Record<string, string>>;
  };
  const loadedPackages: string[] = [];
  const unhandledImports: string[] = [];
  for (const file of await sourceFiles(['core', 'plugins', 'adapters', 'hosts'])) {
    const text = await readFile(file, 'utf8');
    for (const [, before = '', specifier = ''] of text.matchAll(/^(.*?)(?<!typeof )\bimport\('([^'.][^']*)'\)/gm)) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
      if (!(name in peerDependencies)) continue;
      loadedPackages.push(name);
      if (!/(?:loadOptional|optionalPackage|loadPackage|\bload)\(|\bload\b.* = /.test(before))
        unhandledImports.push(`${file}: ${name}`);
    }
  }
  assert.equal([...new Set(loadedPackages)].sort(), [
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    '@opentelemetry/api',
    'bidi-js',
    'html-to-text',
    'juice',
    'mjml',
    'pdfkit',
    'qrcode',
    'sharp',
    'zxing-wasm',
  ]);
  // Without its package, telemetry is off without an error. The picture process and the thread that reads codes handle the error
  // themselves.
  assert.equal(unhandledImports.sort(), [
    'core/pictures/picture-process.ts: sharp',
    'core/telemetry/index.ts: @opentelemetry/api',
    'plugins/qr/decode/decode-worker.ts: zxing-wasm',
  ]);
});

test.run();
