// No file may import itself, directly or through other files.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cycleFaults } from './cycles.ts';
import { projectSelfNames, selfNamesFrom } from './imports.ts';
import { assertNoFaults, readSources } from './sources.ts';

const test = suite('cycles');
const selfNames = selfNamesFrom({ postrider: ['./core/index.ts'], 'postrider/adapters/*': ['./adapters/*.ts'] });

test('the project has no import cycle', () => {
  const files = readSources();
  assert.ok(files.some(({ path }) => path === 'test/guards/cycles.test.ts'));
  assertNoFaults(cycleFaults(files, projectSelfNames()));
});

test('a cycle is found, and the fault names its path', () => {
  const faults = cycleFaults(
    [
      { path: 'core/a.ts', source: "import { b } from './kernel/b.ts';" },
      { path: 'core/kernel/b.ts', source: "export * from '../storage/c.ts';" },
      { path: 'core/storage/c.ts', source: "export const a = () => import('../a.ts');" },
      { path: 'core/storage/d.ts', source: "import './d.ts';" },
    ],
    selfNames,
  );
  assert.is(faults.length, 2);
  assert.match(faults[0]!.rule, 'core/a.ts → core/kernel/b.ts → core/storage/c.ts → core/a.ts');
  assert.match(faults[1]!.rule, 'core/storage/d.ts → core/storage/d.ts');
});

test("a cycle through the package's own names is found", () => {
  const faults = cycleFaults(
    [
      { path: 'core/index.ts', source: "export { x } from '../adapters/mail/x.ts';" },
      { path: 'adapters/mail/x.ts', source: "import { y } from 'postrider/adapters/mail/y';" },
      { path: 'adapters/mail/y.ts', source: "import 'postrider';" },
    ],
    selfNames,
  );
  assert.is(faults.length, 1);
});

test('two paths to one file, or a type-only import back, are not a cycle', () => {
  const faults = cycleFaults(
    [
      { path: 'a.ts', source: "import './b.ts';\nimport './c.ts';" },
      { path: 'b.ts', source: "import './c.ts';\nimport type { A } from './a.ts';\nexport type { B } from './a.ts';" },
      { path: 'c.ts', source: "export type C = import('./a.ts').C;\ndeclare module './a.ts' {}" },
    ],
    selfNames,
  );
  assertNoFaults(faults);
});

test.run();
