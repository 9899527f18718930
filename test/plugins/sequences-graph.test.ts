// The picture of a sequence: the labels of its edges.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('the picture of a sequence');

const plan = (value: string) => ({ filter: { path: 'contact.attributes.plan', op: 'eq', value } as const });

/** The picture of a branch whose conditions all lead to one node, while its else edge leads to another. */
async function drawBranch(plans: readonly string[]): Promise<string> {
  const { service, workspaceId, close } = await createTestService({ plugins: standardPlugins });
  const { sequences } = service.as(workspaceId);
  const { id: keyOrId } = await sequences.create({
    name: 'Plans',
    nodes: [
      { id: 'choose', kind: 'branch', conditions: plans.map(plan) },
      { id: 'paying', kind: 'delay', for: 'P1D' },
      { id: 'free', kind: 'exit' },
    ],
    edges: [
      ...plans.map((_, index) => ({ from: 'choose', when: `branch:${index}` as const, to: 'paying' })),
      { from: 'choose', when: 'else', to: 'free' },
      { from: 'paying', when: 'next', to: 'free' },
      { from: 'paying', when: 'failed', to: 'free' },
    ],
  });
  const { graph = '' } = await sequences.read({ keyOrId, graph: 'svg' });
  await close();
  return graph;
}

/** The labels of edges, with their positions */
const labels = (svg: string): { readonly y: number; readonly words: string }[] =>
  [...svg.matchAll(/<text class="l" x="[\d.]+" y="([\d.]+)"[^>]*>([^<]*)</g)].map(([, y = '', words = '']) => ({
    y: Number(y),
    words,
  }));

test('edges between the same two nodes are drawn as one line with all of their conditions', async () => {
  const svg = await drawBranch(['pro', 'team']);
  const drawnLabels = labels(svg);
  const [pro, team] = [
    drawnLabels.find(({ words }) => /pro/.test(words)),
    drawnLabels.find(({ words }) => /team/.test(words)),
  ];
  assert.ok(pro !== undefined && team !== undefined);
  assert.ok(team.y - pro.y >= 16, 'a label overlaps another');
  const paths = [...svg.matchAll(/<path class="([^"]*)" d="([^"]*)" marker-end/g)];
  assert.is(new Set(paths.map(([, , d]) => d)).size, paths.length, 'a line overlaps another');
  assert.is(paths.length, 4);
});

test('if one line has many conditions, the others are counted', async () => {
  const words = labels(await drawBranch(['a', 'b', 'c', 'd', 'e'])).map((label) => label.words);
  assert.ok(words.includes('3 more'), words.join());
});

test.run();
