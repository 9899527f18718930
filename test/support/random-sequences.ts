// Random sequences that can be published: acyclic graphs of all kinds that need no other service, with events that may move their runs.
// The same seed gives the same graph.
import type { DefinitionInput } from '../../plugins/sequences/definition/schema.ts';

type Node = DefinitionInput['nodes'][number];
type Edge = DefinitionInput['edges'][number];

/** The names that a random graph may use. */
export interface RandomNames {
  readonly templateKey: string;
  readonly listId: string;
}

/** Random numbers from 0 to below 1, from mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Event types for which waits and goals of random graphs wait */
export const randomTypes = ['order_paid', 'page_seen', 'call_made'] as const;

const durations = ['PT30M', 'PT5H', 'P1D', 'P2DT1H', 'P1W', 'P1M', 'PT0S'];
const weekdays = [['mon'], ['sat', 'sun'], undefined] as const;

export function randomSequence(
  seed: number,
  names: RandomNames,
): Pick<DefinitionInput, 'nodes' | 'edges' | 'settings'> {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const filter = () =>
    pick([
      { path: 'contact.attributes.level', op: 'gte' as const, value: Math.floor(random() * 4) },
      { path: `list.${names.listId}`, op: 'exists' as const, value: random() < 0.5 },
      { not: { path: 'contact.attributes.plan', op: 'eq' as const, value: pick(['pro', 'free']) } },
      { path: 'event.metadata.n', op: 'lt' as const, value: Math.floor(random() * 10) },
    ]);

  const activity = () => ({
    did: pick(randomTypes),
    ...pick([{}, { since: 'run' }, { since: pick(['P1D', 'P1W']) }] as const),
    ...(random() < 0.3 ? { atLeast: 2 } : {}),
    ...(random() < 0.3 ? { where: { path: 'event.metadata.n', op: 'gt' as const, value: 5 } } : {}),
  });
  const activityOrFilter = () => (random() < 0.4 ? activity() : filter());

  function nodeOf(id: string): { node: Node; slots: string[] } {
    switch (Math.floor(random() * 11)) {
      case 0:
      case 1:
        return { node: { id, kind: 'delay', for: pick(durations) }, slots: ['next'] };
      case 2: {
        const days = pick(weekdays);
        const until = {
          time: pick(['02:30', '09:00', '23:59']),
          ...(days === undefined ? {} : { weekdays: [...days] }),
        };
        return { node: { id, kind: 'delay', until }, slots: ['next'] };
      }
      case 3:
      case 4: {
        const wait = {
          id,
          kind: 'wait_for_event' as const,
          type: pick(randomTypes),
          timeout: pick(durations.slice(0, 5)),
          ...pick([{}, { since: 'previous_wait' }, { since: 'run' }, { since: 'node' }] as const),
        };
        return { node: random() < 0.5 ? wait : { ...wait, filter: filter() }, slots: ['matched', 'timeout'] };
      }
      case 5:
        return {
          node: { id, kind: 'branch', conditions: [{ filter: activityOrFilter() }, { filter: activityOrFilter() }] },
          slots: ['branch:0', 'branch:1', 'else'],
        };
      case 6:
        return { node: { id, kind: 'split', weights: [30, 30, 40] }, slots: ['split:0', 'split:1', 'split:2'] };
      case 7: {
        const variables: Record<string, string> =
          random() < 0.8 ? { name: '{{ contact.attributes.plan }}' } : { name: '' };
        return {
          node: { id, kind: 'send_email', templateKey: names.templateKey, variables },
          slots: ['next', 'failed'],
        };
      }
      case 8:
        return { node: { id, kind: pick(['add_to_list', 'remove_from_list']), listId: names.listId }, slots: ['next'] };
      case 9:
        return {
          node: {
            id,
            kind: 'update_contact',
            attributes: { level: Math.floor(random() * 4), plan: pick(['pro', 'free']) },
          },
          slots: ['next'],
        };
      default:
        return random() < 0.3
          ? { node: { id, kind: 'exit', reason: 'done' }, slots: [] }
          : { node: { id, kind: 'goal', filter: { all: [activityOrFilter(), activityOrFilter()] } }, slots: ['next'] };
    }
  }

  const nodes: Node[] = [{ id: 'n0', kind: 'delay', for: pick(durations) }];
  const edges: Edge[] = [];
  let open = [{ from: 'n0', when: 'next' }];
  const size = 3 + Math.floor(random() * 14);
  while (nodes.length < size && open.length > 0) {
    const slot = pick(open);
    const { node, slots } = nodeOf(`n${nodes.length}`);
    nodes.push(node);
    edges.push({ ...slot, to: node.id });
    open = [...open.filter((one) => one !== slot), ...slots.map((when) => ({ from: node.id, when }))];
  }
  // Some paths join again, always at a later node, so that there is no cycle.
  for (const slot of open) {
    const laterNodes = nodes.slice(nodes.findIndex(({ id }) => id === slot.from) + 1);
    if (laterNodes.length > 0 && random() < 0.4) edges.push({ ...slot, to: pick(laterNodes).id });
  }
  const settings: NonNullable<DefinitionInput['settings']> = {
    timezone: pick(['UTC', 'Europe/Vienna', 'America/New_York']),
    overdue: pick(['run', 'skip', 'latest']),
    ...(random() < 0.3 ? { quietHours: { from: '21:00', to: '08:00' } } : {}),
    ...(random() < 0.3 ? { cap: { channel: 'email', max: 1, per: 'week' } } : {}),
    ...(random() < 0.2 ? { exitWhen: { path: 'contact.attributes.level', op: 'eq', value: 3 } } : {}),
  };
  return { nodes, edges, settings };
}
