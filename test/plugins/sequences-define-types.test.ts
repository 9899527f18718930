// defineSequence with the types of templates: which nodes compile, and the compiler error for each mistake. Runs the real compiler.
// full-run: slow
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { typePaths } from '../support/compiled.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const run = promisify(execFile);

const templates = `
import type {} from 'postrider/open';
declare module 'postrider/open' {
  interface TemplateVariables {
    "hi": { readonly name: string; readonly count?: number; readonly level?: "low" | "high" };
    "list": { readonly items: readonly ({ readonly title: string })[] };
    "plain": Record<string, never>;
    "open": { readonly name: string; readonly [name: string]: unknown };
  }
}`;

/** Nodes that compile, each in its own sequence */
const valid = [
  `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 'Ada' } }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 'Ada', count: 2, level: 'low' } }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: '{{ contact.attributes.name }}', count: '{{ event.metadata.count }}' } }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'list', variables: { items: [{ title: 'Tea' }] } }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'plain' }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'plain', variables: {} }`,
  `{ id: 'm', kind: 'send_email', templateKey: 'open', variables: { name: 'Ada', more: [1] } }`,
  `{ id: 'm', kind: 'send_email', templateKey: chosen, variables: { whatever: 1 } }`,
  `{ id: 'd', kind: 'delay', for: 'P1D' },
   { id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 'Ada' } },
   { id: 'n', kind: 'send_email', templateKey: 'plain' },
   { id: 'u', kind: 'update_contact', attributes: { greeted: true } }`,
];

/** Nodes that do not compile, with the error of the compiler */
const mistakes: readonly (readonly [string, RegExp])[] = [
  [
    `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 'Ada', cuont: 2 } }`,
    /a variable of the template: (count|level|name)/,
  ],
  [
    `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { nmae: 'Ada' } }`,
    /a variable of the template: .*name/,
  ],
  [`{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { count: 2 } }`, /Property 'name' is missing/],
  [`{ id: 'm', kind: 'send_email', templateKey: 'open', variables: { more: 2 } }`, /Property 'name' is missing/],
  [`{ id: 'm', kind: 'send_email', templateKey: 'hi' }`, /Property 'variables' is missing/],
  [`{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 3 } }`, /Expected<string>/],
  [
    `{ id: 'm', kind: 'send_email', templateKey: 'hi', variables: { name: 'Ada', level: 'no' } }`,
    /"low" \| "high"|"high" \| "low"/,
  ],
  [`{ id: 'm', kind: 'send_email', templateKey: 'ho', variables: { name: 'Ada' } }`, /(?=.*"hi")(?=.*"list")/],
  [
    `{ id: 'd', kind: 'delay', for: 'P1D' }, { id: 'm', kind: 'send_email', templateKey: 'ho' }`,
    /'"ho"' is not assignable/,
  ],
];

const program = (nodes: string) => `
import { defineSequence } from 'postrider/plugins';
declare const chosen: string;
const trigger = { kind: 'event', type: 'signed_up' } as const;
export const one = defineSequence({ key: 'a', name: 'A', trigger, nodes: [${nodes}], edges: [] });
export const used = chosen;
`;

const test = suite('defineSequence with types of templates');

test('each valid literal compiles, and each mistake is one error that names the expected value', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sequence-types-'));
  try {
    const config = {
      extends: resolve('tsconfig.json'),
      compilerOptions: { paths: await typePaths(), typeRoots: [resolve('node_modules/@types')], noEmit: true },
      include: ['*.mts', 'templates.d.ts'],
      exclude: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'templates.d.ts'), templates);
    for (const [index, nodes] of valid.entries()) await writeFile(join(folder, `valid${index}.mts`), program(nodes));
    for (const [index, [nodes]] of mistakes.entries())
      await writeFile(join(folder, `mistake${index}.mts`), program(nodes));
    const output = await run(process.execPath, [typeCompiler, '-p', '.'], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    const errors = output.split(/^(?=\S+\(\d+,\d+\): error)/m).filter((part) => part !== '');
    assert.equal(
      errors.filter((error) => !error.startsWith('mistake')),
      [],
    );
    for (const [index, [nodes, expected]] of mistakes.entries()) {
      const ownErrors = errors.filter((error) => error.startsWith(`mistake${index}.mts`));
      assert.is(ownErrors.length, 1, `${nodes}\n${ownErrors.join('')}`);
      assert.match(String(ownErrors[0]), expected);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
