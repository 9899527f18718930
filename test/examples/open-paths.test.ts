// docs/hosts.md names every public route of the standard plugins: paths that must stay open without a sign-in, and the team's pages.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CorePorts } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('open paths');

/** The paths in the section: in the first column of its table, and in the sentence about the team's pages. */
async function namedPaths(): Promise<{ readonly open: readonly string[]; readonly ofTeam: readonly string[] }> {
  const [, part = ''] = (await readFile('docs/hosts.md', 'utf8')).split('\n### Behind your own sign-in\n');
  const [section = ''] = part.split('\n## ');
  const pathsIn = (text: string) => [...text.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return {
    open: rows.flatMap((row) => pathsIn(row.split('|')[1] ?? '')),
    ofTeam: pathsIn(/The pages of your team \(([^)]*)\)/.exec(section)?.[1] ?? ''),
  };
}

const inProduction = {
  service: {
    name: 'Acme',
    slug: 'acme',
    environment: 'production',
    publicUrl: 'https://api.example.com/messaging',
    features: [],
  },
  access: { configured: false },
} as unknown as CorePorts;
const covers = (name: string, path: string): boolean => path === name || path.startsWith(`${name}/`);
const routes = standardPlugins.flatMap(({ publicRoutes }) => publicRoutes);

test('the table names every public route that is not a page of the team', async () => {
  const { open, ofTeam } = await namedPaths();
  assert.ok(routes.length > 40 && ofTeam.length > 1);
  const missingPaths = routes
    .map(({ path }) => path)
    .filter((path) => ![...open, ...ofTeam].some((name) => covers(name, path)));
  assert.equal([...new Set(missingPaths)], []);
});

test('the table names no other route and no page of the team', async () => {
  const { open } = await namedPaths();
  const routesFor = (name: string) => routes.filter(({ path }) => covers(name, path));
  assert.equal(
    open.filter(
      (name) => routesFor(name).length === 0 || routesFor(name).some(({ hidden }) => hidden?.(inProduction) === true),
    ),
    [],
  );
});

test.run();
