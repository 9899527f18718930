// The errors that publishing reports, each with its node, and the pictures of a graph.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from '../../core/index.ts';
import { jsonSchemaOf } from '../../core/unstable.ts';
import { checkGraph } from '../../plugins/sequences/definition/graph-check.ts';
import { nodeKinds } from '../../plugins/sequences/definition/node-schemas.ts';
import type { ResolvedReferences } from '../../plugins/sequences/definition/references.ts';
import { type DefinitionInput, definitionSchema } from '../../plugins/sequences/definition/schema.ts';
import { graphOf } from '../../plugins/sequences/graph/index.ts';
import { layOutGraph } from '../../plugins/sequences/graph/layout.ts';
import { parseTemplate } from '../../plugins/templates/language/liquid.ts';

const test = suite('the check of a graph');

const contract = {
  type: 'object',
  properties: { name: { type: 'string' }, city: { type: 'string', default: 'Vienna' } },
  required: ['name', 'city'],
};
const answer = z.object({
  score: z.int(),
  answeredBy: z.object({ email: z.string() }).nullable(),
  choices: z.array(z.object({ label: z.string() })),
  extra: z.record(z.string(), z.unknown()),
});
const references: ResolvedReferences = {
  kinds: new Set([...nodeKinds().filter((kind) => kind !== 'social_event'), 'manual', 'event', 'list_joined']),
  emailTemplates: new Map([
    ['hello', { state: 'published', variables: contract }],
    ['secret', { state: 'draft', variables: {} }],
  ]),
  smsTemplates: new Map(),
  socialEvents: new Set(),
  lists: new Set(['lst_1']),
  webhooks: new Set(['whk_1']),
  segments: new Set(['sgm_1']),
  sequences: new Set(['other']),
  pages: new Set(),
  eventFaults: new Map([['link.clicked', 'link.clicked is not about a contact.']]),
  eventData: new Map([['poll.answered', jsonSchemaOf(answer, 'output')]]),
};
const readPaths = (body: string) => parseTemplate(body, 'plain').placeholders.map(({ path }) => path);
type Nodes = DefinitionInput['nodes'];
const define = (nodes: Nodes, edges: string[] = [], rest: Partial<DefinitionInput> = {}) =>
  definitionSchema.parse({
    trigger: { kind: 'manual' },
    nodes,
    edges: edges.map((edge) => {
      const [from, when, to] = edge.split(' ');
      return { from, when, to };
    }),
    settings: {},
    ...rest,
  });
const faults = (...args: Parameters<typeof define>) =>
  checkGraph(define(...args), references, readPaths).map(({ path, code }) => `${path} ${code}`);

const pause = (id: string) => ({ id, kind: 'delay' as const, for: 'P1D' });
const mark = (id: string) => ({ id, kind: 'update_contact' as const, attributes: {} });
const mail = (id: string, templateKey: string, variables = {}) => ({
  id,
  kind: 'send_email' as const,
  templateKey,
  variables,
});

// [title, nodes, edges, faults]
const graphs: readonly [string, Nodes, string[], string[]][] = [
  ['nothing', [], [], ['nodes graph_empty']],
  ['one node', [pause('a')], [], []],
  ['two entries', [pause('a'), pause('b')], [], ['nodes.a entry_ambiguous', 'nodes.b entry_ambiguous']],
  ['no entry', [pause('a'), pause('b')], ['a next b', 'b next a'], ['nodes entry_missing']],
  [
    'an island',
    [pause('a'), pause('b'), pause('c')],
    ['b next c', 'c next b'],
    ['nodes.b node_unreachable', 'nodes.c node_unreachable'],
  ],
  ['a cycle with a delay', [mark('z'), mark('a'), pause('b')], ['z next a', 'a next b', 'b next a'], []],
  [
    'a cycle without a delay',
    [mark('z'), mark('a'), mark('b')],
    ['z next a', 'a next b', 'b next a'],
    ['nodes.a cycle'],
  ],
  ['a goal without edges', [pause('a'), { id: 'g', kind: 'goal', filter: {} }], [], []],
  [
    'two nodes with one id',
    [pause('a'), pause('a')],
    [],
    ['nodes.a node_duplicate', 'nodes.a entry_ambiguous', 'nodes.a entry_ambiguous'],
  ],
  ['an edge to an unknown node', [pause('a')], ['a next b'], ['nodes.a edge_unknown_node']],
  ['an edge from an unknown node', [pause('a')], ['b next a'], ['nodes.b edge_unknown_node', 'nodes entry_missing']],
  ['an edge of a kind that the node does not have', [pause('a'), pause('b')], ['a matched b'], ['nodes.a edge_kind']],
  [
    'an edge for a missing condition',
    [{ id: 'a', kind: 'branch', conditions: [{ filter: {} }] }, pause('b')],
    ['a branch:1 b'],
    ['nodes.a edge_kind'],
  ],
  ['two edges of the same kind', [pause('a'), pause('b')], ['a next b', 'a next b'], ['nodes.a edge_duplicate']],
  [
    'ofNode names a node that sends nothing',
    [{ id: 'a', kind: 'wait_for_event', type: 'send.clicked', timeout: 'P1D', ofNode: 'a' }],
    [],
    ['nodes.a of_node'],
  ],
  ['an unknown template', [mail('a', 'none')], [], ['nodes.a template_not_found']],
  ['a template that is a draft', [mail('a', 'secret')], [], ['nodes.a template_draft']],
  ['the variables of a template', [mail('a', 'hello', { name: 'Ada' })], [], []],
  [
    'other variables than those of the template',
    [mail('a', 'hello', { nam: 'Ada' })],
    [],
    ['nodes.a variable_missing', 'nodes.a variable_unknown'],
  ],
  ['broken Liquid', [mail('a', 'hello', { name: '{{ contact.' })], [], ['nodes.a text_invalid']],
  [
    'paths that texts may read',
    [mail('a', 'hello', { name: '{{ contact.attributes.a.b }}{{event.data.x}}{{contact.email}}{{variables.any}}' })],
    [],
    [],
  ],
  [
    'a path that no contact has',
    [mail('a', 'hello', { name: '{{ contact.first_name }}' })],
    [],
    ['nodes.a path_unknown'],
  ],
  [
    'a path that no event has, in a Liquid condition',
    [mail('a', 'hello', { name: '{% if event.order %}x{% endif %}' })],
    [],
    ['nodes.a path_unknown'],
  ],
  ['a path with an unknown root', [mail('a', 'hello', { name: 'Hi {{ first_name }}' })], [], ['nodes.a path_unknown']],
  ['an unknown list', [{ id: 'a', kind: 'add_to_list', listId: 'lst_9' }], [], ['nodes.a list_not_found']],
  [
    'an unknown list in a filter',
    [{ id: 'a', kind: 'goal', filter: { path: 'list.lst_9', op: 'exists', value: true } }, pause('b')],
    [],
    ['nodes.a list_not_found'],
  ],
  ['an unknown webhook', [{ id: 'a', kind: 'webhook', webhookId: 'whk_9' }], [], ['nodes.a webhook_not_found']],
  ['an unknown sequence', [{ id: 'a', kind: 'enroll', sequenceKey: 'none' }], [], ['nodes.a sequence_not_found']],
  [
    'an event that sequences cannot use',
    [{ id: 'a', kind: 'goal', type: 'link.clicked' }, pause('b')],
    [],
    ['nodes.a event_type'],
  ],
  [
    'a kind whose plugin is missing',
    [{ id: 'a', kind: 'social_event', eventKey: 'x', outcome: 'draft' }],
    [],
    ['nodes.a kind_not_available'],
  ],
];
for (const [title, nodes, edges, expected] of graphs)
  test(title, () => {
    assert.equal(faults(nodes, edges), expected);
  });

test('each fault message is a sentence that names its node', () => {
  const [fault] = checkGraph(
    define([mark('z'), mark('a'), mark('b')], ['z next a', 'a next b', 'b next a']),
    references,
    readPaths,
  );
  assert.is(fault?.message, 'A run would never leave a → b → a: put a delay or a wait into it.');
});

test('a text that reads an unknown path gets a suggestion', () => {
  const settings = { variables: { type: 'object', properties: { plan: { type: 'string' } } } };
  const messages = (name: string) =>
    checkGraph(define([mail('a', 'hello', { name })], [], { settings }), references, readPaths).map(
      ({ message }) => message,
    );
  const expectedMessages = {
    '{{ contact.first_name }}':
      'a, variables.name: contact has no first_name. Did you mean contact.attributes.first_name?',
    '{{ event.order_id }}':
      'a, variables.name: event has no order_id. Did you mean event.metadata.order_id, of an event of your own, or event.data.order_id, of one of the service?',
    '{{ variables.pln }}': 'a, variables.name: settings.variables declares no pln. Did you mean plan?',
    '{{ name }}':
      'a, variables.name: there is no name: texts read contact, event and variables. Did you mean contact.attributes.name, or variables.name?',
  };
  for (const [text, message] of Object.entries(expectedMessages)) assert.equal(messages(text), [message]);
  assert.equal(messages('{{ variables.plan }}'), []);
});

test('a filter that reads an undeclared field of its event gets a suggestion', () => {
  const existsAt = (path: string) => ({ path, op: 'exists' as const, value: true });
  const messages = (trigger: DefinitionInput['trigger'], nodes: Nodes = [pause('a')], exitWhen?: object) =>
    checkGraph(
      define(nodes, [], { trigger, ...(exitWhen === undefined ? {} : { settings: { exitWhen: exitWhen as never } }) }),
      references,
      readPaths,
    ).flatMap(({ path, code, message }) => (code === 'field_unknown' ? [`${path} ${message}`] : []));
  const messagesForTrigger = (path: string) =>
    messages({ kind: 'event', type: 'poll.answered', filter: existsAt(path) });
  const knownPaths = ['score', 'answeredBy.email', 'choices.0.label', 'choices.length', 'extra.any.thing', 'extra.a'];
  for (const path of knownPaths) assert.equal(messagesForTrigger(`event.data.${path}`), [], path);
  const unknown = {
    'event.data.scroe': 'no event poll.answered has event.data.scroe. Did you mean event.data.score?',
    'event.data.answeredBy.emial':
      'no event poll.answered has event.data.answeredBy.emial. Did you mean event.data.answeredBy.email?',
    'event.data.score.value': 'no event poll.answered has event.data.score.value.',
    'event.data.zzzzzz': 'no event poll.answered has event.data.zzzzzz. Available: score, answeredBy, choices, extra.',
    'event.metadata.score':
      'no event poll.answered has event.metadata.score: its values are event.data. Did you mean event.data.score?',
  };
  for (const [path, message] of Object.entries(unknown))
    assert.equal(messagesForTrigger(path), [`trigger The trigger: ${message}`]);

  const wrong = existsAt('event.data.scroe');
  const wait = (type: string, filter = wrong) => [
    { id: 'w', kind: 'wait_for_event' as const, type, timeout: 'P1D', filter },
  ];
  const branch: Nodes = [{ id: 'b', kind: 'branch', conditions: [{ filter: { any: [{}, { not: wrong }] } }] }];
  const manual = { kind: 'manual' } as const;
  const pollTrigger = { kind: 'event', type: 'poll.answered' } as const;
  assert.is(messages(manual, wait('poll.answered')).length, 1);
  assert.is(messages(manual, [{ id: 'g', kind: 'goal', type: 'poll.answered', filter: wrong }, pause('a')]).length, 1);
  assert.match(messages(pollTrigger, branch)[0] ?? '', /^nodes\.b b: .* Did you mean event\.data\.score\?$/);
  assert.match(messages(pollTrigger, undefined, wrong)[0] ?? '', /^settings exitWhen: /);
  assert.equal(messages(manual, branch), [], 'it is not known which event began the run');
  // The program's own events declare no fields.
  assert.equal(messages({ kind: 'event', type: 'order_paid', filter: wrong }, wait('order_sent')), []);
  const nodesAfter = [...branch, ...wait('order_paid', existsAt('event.metadata.total'))];
  assert.is(
    messages({ ...pollTrigger, filter: existsAt('event.data.score') }, nodesAfter).length,
    1,
    'no wait adds the field either',
  );
});

test('a long chain is checked and drawn without recursion', () => {
  const nodes = Array.from({ length: 200 }, (_, index) => mark(`n${index}`));
  const edges = nodes.slice(1).map(({ id }, index) => `n${index} next ${id}`);
  assert.equal(faults(nodes, edges), []);
  assert.ok(graphOf(define(nodes, edges), 'svg').length > 10_000);
});

test('a picture shows every node and escapes its texts', () => {
  const nodes: Nodes = [{ id: 'end', kind: 'exit', reason: '</svg><script>"x"</script>' }];
  const definition = define(nodes, [], { trigger: { kind: 'event', type: 'a"]; click b' } });
  for (const form of ['svg', 'mermaid'] as const) {
    const picture = graphOf(definition, form, { stats: { end: { reached: 7, waiting: 0, skipped: 0, failed: 2 } } });
    assert.not.match(picture, '<script');
    assert.match(picture, '7 reached · 2 failed');
  }
  assert.match(graphOf(definition, 'mermaid'), /^flowchart TD\n {2}trigger\(\["When a#34;#93;#59; click b"\]\)\n/);
});

test('no two boxes overlap', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `n${index}`);
  const edges = ids.slice(1).flatMap((to, index) => [
    { from: ids[Math.floor(index / 3)] ?? 'n0', to },
    { from: ids[(index * 7) % 40] ?? 'n0', to },
  ]);
  const { nodes, width } = layOutGraph({ nodes: ids, edges, width: 100, height: 40, gapX: 10, gapY: 20 });
  const points = [...nodes.values()];
  for (const [index, one] of points.entries()) {
    assert.ok(one.x >= 49 && one.x <= width - 49, `${one.x} of ${width}`);
    for (const other of points.slice(index + 1))
      assert.ok(Math.abs(one.x - other.x) >= 108 || Math.abs(one.y - other.y) >= 60, JSON.stringify([one, other]));
  }
});

test.run();
