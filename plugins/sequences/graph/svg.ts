// A sequence as a self-contained SVG: readable in light and dark mode, without script, with every text escaped.
import { escapeHtml } from '../../../core/unstable.ts';
import type { Definition } from '../definition/schema.ts';
import { entriesOf } from '../interpreter/graph.ts';
import { edgeWords, nodeWords, shortenTo, shortenToWidth, triggerWords } from './describe.ts';
import { layOutGraph, type Point } from './layout.ts';
import { countWords, type SequenceGraphOptions } from './options.ts';

const box = { width: 220, height: 68 } as const;
const gap = { x: 28, y: 62 } as const;
const margin = 20;
/** An edge between nodes, or from the trigger to a node. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly when: string;
}

/** The trigger's id in the layout. It contains a space, and ids of nodes never do. */
const triggerId = 'the trigger';

/** The colours of the console. */
const style = `
text{font:13px system-ui,sans-serif;fill:#16241d}
.t{font-weight:600}.d,.l{fill:#54635b;font-size:12px}.c{fill:#0f5c3f;font-size:12px}
.b{fill:#fff;stroke:#7a867f}.k{fill:#e4eff7;stroke:#1f5f8b}.g{fill:#e2f0e8;stroke:#126a45}.p{stroke:#0f5c3f;stroke-width:3}
.e{fill:none;stroke:#7a867f;stroke-width:1.5}.f{stroke-dasharray:5 4}.h{stroke:#0f5c3f;stroke-width:3}
.a{fill:#7a867f}.q{fill:#fff}
@media(prefers-color-scheme:dark){
text{fill:#e4ece7}.d,.l{fill:#9cada4}.c{fill:#8fd3b1}
.b{fill:#131a16;stroke:#6a7a71}.k{fill:#14232e;stroke:#8fc1e6}.g{fill:#15281f;stroke:#7fcfa6}.p{stroke:#8fd3b1}
.e{stroke:#6a7a71}.h{stroke:#8fd3b1}.a{fill:#6a7a71}.q{fill:#131a16}}
`;

const text = (point: Point, kind: string, content: string): string =>
  content === ''
    ? ''
    : `<text class="${kind}" x="${point.x}" y="${point.y}" text-anchor="middle">${escapeHtml(content)}</text>`;

function nodeSvg(at: Point, kind: string, lines: readonly [string, string, string | undefined], label: string): string {
  const [title, detail, counts] = lines;
  const textLines = [title, detail, counts ?? ''].filter((line) => line !== '');
  const top = at.y - (textLines.length - 1) * 9 + 4;
  const y = (line: string): number => top + textLines.indexOf(line) * 18;
  const radius = kind.startsWith('g') ? 34 : kind.startsWith('k') ? 18 : 8;
  return [
    `<g><title>${escapeHtml(label)}</title>`,
    `<rect class="${kind}" x="${at.x - box.width / 2}" y="${at.y - box.height / 2}" width="${box.width}" height="${box.height}" rx="${radius}"/>`,
    text({ x: at.x, y: y(title) }, 't', shortenTo(title, 28)),
    text({ x: at.x, y: y(detail) }, 'd', shortenToWidth(shortenTo(detail, 34), box.width - 16)),
    counts === undefined ? '' : text({ x: at.x, y: y(counts) }, 'c', shortenTo(counts, 36)),
    '</g>',
  ].join('');
}

/** A smooth line from the bottom of a box to the top of the next. A line that leads up runs at the side of the boxes. */
function edgePath(points: readonly Point[]): { readonly d: string; readonly label: Point } {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { d: '', label: { x: 0, y: 0 } };
  const half = box.height / 2;
  if (last.y <= first.y) {
    const side = Math.max(...points.map(({ x }) => x)) + box.width / 2 + gap.x / 2;
    const [from, to] = [first.x + box.width / 2, last.x + box.width / 2];
    const d = `M${from} ${first.y}C${side} ${first.y} ${side} ${first.y} ${side} ${first.y - half}L${side} ${last.y + half}C${side} ${last.y} ${side} ${last.y} ${to + 6} ${last.y}`;
    return { d, label: { x: side, y: (first.y + last.y) / 2 } };
  }
  const inBetween = points.slice(1, -1);
  const stops = [{ x: first.x, y: first.y + half }, ...inBetween, { x: last.x, y: last.y - half - 6 }];
  const d = stops.map((stop, index) => {
    const previous = stops[index - 1];
    if (previous === undefined) return `M${stop.x} ${stop.y}`;
    const middle = Math.round((previous.y + stop.y) / 2);
    return `C${previous.x} ${middle} ${stop.x} ${middle} ${stop.x} ${stop.y}`;
  });
  const second = stops[1] ?? last;
  return {
    d: d.join(''),
    label: {
      x: Math.round((first.x + second.x) / 2),
      y: Math.round((first.y + half + Math.min(second.y, first.y + half + gap.y)) / 2) + 4,
    },
  };
}

/** The labels of a line, one below the other. Of more than three labels, shows the first two and the number of the others. */
function labelSvg(at: Point, words: readonly string[]): string {
  const lines = words.length > 3 ? [...words.slice(0, 2), `${words.length - 2} more`] : words;
  return lines
    .map((line, index) => {
      const shortLine = shortenTo(line, 30);
      const width = [...shortLine].length * 6.6 + 8;
      const y = at.y + index * 18 - (lines.length - 1) * 9;
      return `<rect class="q" x="${at.x - width / 2}" y="${y - 13}" width="${width}" height="18" rx="4"/>${text({ x: at.x, y }, 'l', shortLine)}`;
    })
    .join('');
}

function edgeSvg(
  points: readonly Point[],
  whens: readonly string[],
  words: readonly string[],
  isOnPath: boolean,
): string {
  const { d, label: at } = edgePath(points);
  const isDashed = whens.every((when) => when === 'failed' || when === 'timeout');
  const kinds = ['e', ...(isDashed ? ['f'] : []), ...(isOnPath ? ['h'] : [])].join(' ');
  return `<path class="${kinds}" d="${d}" marker-end="url(#arrow)"/>${labelSvg(at, words)}`;
}

/**
 * Groups edges between the same two nodes into one line with all their labels, because separate lines would overlap.
 */
function linesOf(edges: readonly Edge[]): { readonly first: number; readonly edges: readonly [Edge, ...Edge[]] }[] {
  const lines = new Map<string, { readonly first: number; readonly edges: [Edge, ...Edge[]] }>();
  for (const [first, edge] of edges.entries()) {
    const key = `${edge.from}|${edge.to}`;
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { first, edges: [edge] });
    else line.edges.push(edge);
  }
  return [...lines.values()];
}

/** The edges that a run has followed, from the consecutive nodes of its path. */
const edgesOfPath = (path: readonly string[]): ReadonlySet<string> =>
  new Set(path.slice(1).map((to, index) => `${path[index]}|${to}`));

export function svgOf(definition: Definition, { stats, path = [] }: SequenceGraphOptions): string {
  const { nodes, edges } = definition;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const knownEdges = edges.filter(({ from, to }) => byId.has(from) && byId.has(to));
  const entries = entriesOf(definition).map((to) => ({ from: triggerId, to, when: 'next' }));
  const allEdges = [...entries, ...knownEdges];
  const layout = layOutGraph({
    nodes: [triggerId, ...byId.keys()],
    edges: allEdges,
    width: box.width,
    height: box.height,
    gapX: gap.x,
    gapY: gap.y,
  });
  const centreOf = (id: string): Point => layout.nodes.get(id) ?? { x: 0, y: 0 };
  const reachedIds = new Set(path);
  const edgesOnPath = edgesOfPath(path.length === 0 ? [] : [triggerId, ...path]);
  const trigger = triggerWords(definition);
  const boxes = nodes.map((node) => {
    const { title, detail } = nodeWords(node);
    const shape = node.kind === 'goal' || node.kind === 'exit' ? 'g' : 'b';
    const kind = node.kind === 'branch' || node.kind === 'split' ? 'k' : shape;
    const counts = countWords(stats?.[node.id]);
    const label = [node.id, title, detail, counts ?? ''].filter((line) => line !== '').join(', ');
    return nodeSvg(centreOf(node.id), reachedIds.has(node.id) ? `${kind} p` : kind, [title, detail, counts], label);
  });
  const lines = linesOf(allEdges).map(({ first, edges: sharedEdges }) => {
    const [{ from, to }] = sharedEdges;
    const labels = sharedEdges.map(
      ({ when }) => edgeWords(when, byId.get(from)) || (sharedEdges.length > 1 ? when : ''),
    );
    const whens = sharedEdges.map(({ when }) => when);
    return edgeSvg(
      layout.edges[first] ?? [],
      whens,
      labels.filter((word) => word !== ''),
      edgesOnPath.has(`${from}|${to}`),
    );
  });
  // The space on the right is for edges that lead back up.
  const [width, height] = [layout.width + 2 * margin + gap.x, layout.height + 2 * margin];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeHtml(`${trigger.title}: ${nodes.length} nodes`)}</title><style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="a" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...lines,
    nodeSvg(centreOf(triggerId), 'k', [trigger.title, trigger.detail, undefined], trigger.title),
    ...boxes,
    '</svg>',
  ].join('');
}
