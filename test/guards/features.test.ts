// The core must not name any feature: a plugin declares what its area needs from the core.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { featureFaults } from './feature-words.ts';
import { assertFaultsAt, assertNoFaults, readSources } from './sources.ts';

const test = suite('features');

test('no identifier, text or comment of the core names a feature area', () => {
  const files = readSources().filter(({ path }) => path.startsWith('core/'));
  assert.ok(files.length > 100);
  assertNoFaults(files.flatMap(featureFaults));
});

test('a feature is detected in a comment, in a text and in the middle of a name', () => {
  const source = [
    '// Told to contacts.',
    "const scope = 'suppressions:read';",
    'const sendSmsNow = contact_id;',
    'const monthlySendBudget = 1;',
    '// A shortLink, which is not an HTML link.',
    "const type = 'social.post.created';",
    '',
  ].join('\n');
  const path = 'core/pipeline/a.ts';
  assertFaultsAt(
    featureFaults({ path, source }),
    [1, 2, 3, 4, 5, 6].map((line) => `${path}:${line}`),
  );
});

test('the words are allowed in terms of other standards, in plugins and in test code', () => {
  assertNoFaults(
    featureFaults({
      path: 'core/pipeline/a.ts',
      source: '// Method and route template.\nconst consequences = 1, link = list;\n',
    }),
  );
  assertNoFaults(featureFaults({ path: 'core/mcp/a.ts', source: "const method = 'resources/templates/list';\n" }));
  assertNoFaults(featureFaults({ path: 'core/pages/a.ts', source: 'const links = 1;\n' }));
  for (const path of ['hosts/testing/a.ts', 'plugins/contacts/a.ts', 'test/core/a.ts'])
    assertNoFaults(featureFaults({ path, source: 'const contact = 1;\n' }));
});

test.run();
