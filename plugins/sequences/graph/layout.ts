// A layered layout of a directed graph, after Sugiyama: assigns layers by the longest path, routes long edges through invisible
// points, orders each layer by the mean of its neighbours, then sets positions. Pure; sizes are in pixels.

/** The input of the layout. Edges may form cycles. */
export interface LayoutInput {
  /** The first node is at the top. */
  readonly nodes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly width: number;
  readonly height: number;
  readonly gapX: number;
  readonly gapY: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** Centres of the nodes. */
  readonly nodes: ReadonlyMap<string, Point>;
  /** For each edge, in the order of the input: points from its start to its end. */
  readonly edges: readonly (readonly Point[])[];
}

interface Link {
  readonly from: number;
  readonly to: number;
}

/** Reverses edges that close a cycle, so that all edges lead down. */
function withoutCycles(count: number, links: readonly Link[]): Link[] {
  const leaving = Array.from({ length: count }, (): number[] => []);
  for (const [index, { from }] of links.entries()) leaving[from]?.push(index);
  const state = new Uint8Array(count);
  const reversed = new Set<number>();
  for (let start = 0; start < count; start++) {
    if (state[start] !== 0) continue;
    const path = [{ node: start, next: 0 }];
    state[start] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const index = leaving[top.node]?.[top.next++];
      if (index === undefined) {
        state[top.node] = 2;
        path.pop();
        continue;
      }
      const to = links[index]?.to ?? 0;
      if (state[to] === 1) reversed.add(index);
      else if (state[to] === 0) {
        state[to] = 1;
        path.push({ node: to, next: 0 });
      }
    }
  }
  return links.map((link, index) => (reversed.has(index) ? { from: link.to, to: link.from } : link));
}

/** The layer of each node: one below its deepest predecessor. */
function layersOf(count: number, links: readonly Link[]): number[] {
  const layer = new Array<number>(count).fill(0);
  for (let round = 0; round < count; round++) {
    let changed = false;
    for (const { from, to } of links) {
      const min = (layer[from] ?? 0) + 1;
      if (from !== to && (layer[to] ?? 0) < min) {
        layer[to] = min;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return layer;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Orders each layer by the mean position of its neighbours, alternating between down and up. */
function orderLayers(layers: number[][], neighbours: { readonly up: number[][]; readonly down: number[][] }): void {
  const indexByNode = new Map<number, number>();
  const storeOrder = (layer: number[]) => {
    for (const [index, node] of layer.entries()) indexByNode.set(node, index);
  };
  for (const layer of layers) storeOrder(layer);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wantedIndex = new Map(
        layer.map((node) => {
          const near = (down ? neighbours.up : neighbours.down)[node] ?? [];
          return [
            node,
            near.length === 0 ? (indexByNode.get(node) ?? 0) : mean(near.map((one) => indexByNode.get(one) ?? 0)),
          ];
        }),
      );
      layer.sort((a, b) => (wantedIndex.get(a) ?? 0) - (wantedIndex.get(b) ?? 0));
      storeOrder(layer);
    }
  }
}

/** Moves nodes towards their neighbours, keeping their order and minimum distance. */
function positionNodes(
  layers: readonly number[][],
  neighbours: { readonly up: number[][]; readonly down: number[][] },
  widthOf: (node: number) => number,
  gap: number,
): number[] {
  const x: number[] = [];
  const distance = (left: number, right: number): number => (widthOf(left) + widthOf(right)) / 2 + gap;
  for (const layer of layers) {
    let at = 0;
    for (const [index, node] of layer.entries()) {
      const left = layer[index - 1];
      if (left !== undefined) at += distance(left, node);
      x[node] = at;
    }
  }
  for (let sweep = 0; sweep < 24; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wantedX = layer.map((node) => {
        const near = (down ? neighbours.up : neighbours.down)[node] ?? [];
        return near.length === 0 ? (x[node] ?? 0) : mean(near.map((one) => x[one] ?? 0));
      });
      const fromLeft: number[] = [];
      const fromRight: number[] = [];
      for (const [index, node] of layer.entries()) {
        const left = layer[index - 1];
        const min = left === undefined ? Number.NEGATIVE_INFINITY : (fromLeft[index - 1] ?? 0) + distance(left, node);
        fromLeft[index] = Math.max(wantedX[index] ?? 0, min);
      }
      for (let index = layer.length - 1; index >= 0; index--) {
        const [node, right] = [layer[index] ?? 0, layer[index + 1]];
        const max =
          right === undefined ? Number.POSITIVE_INFINITY : (fromRight[index + 1] ?? 0) - distance(node, right);
        fromRight[index] = Math.min(wantedX[index] ?? 0, max);
      }
      // Both lists have the minimum distances, so their mean has them, too.
      for (const [index, node] of layer.entries()) x[node] = ((fromLeft[index] ?? 0) + (fromRight[index] ?? 0)) / 2;
    }
  }
  return x;
}

export function layOutGraph({ nodes, edges, width, height, gapX, gapY }: LayoutInput): GraphLayout {
  const indexOf = new Map(nodes.map((id, index) => [id, index]));
  const links: Link[] = edges.map(({ from, to }) => ({ from: indexOf.get(from) ?? 0, to: indexOf.get(to) ?? 0 }));
  const downward = withoutCycles(nodes.length, links);
  const layer = layersOf(nodes.length, downward);
  // A long edge runs through a point in each layer that it crosses.
  const chains = downward.map(({ from, to }): number[] => {
    const points: number[] = [];
    for (let between = (layer[from] ?? 0) + 1; between < (layer[to] ?? 0); between++) {
      points.push(layer.length);
      layer.push(between);
    }
    return [from, ...points, to];
  });
  const count = layer.length;
  const up = Array.from({ length: count }, (): number[] => []);
  const down = Array.from({ length: count }, (): number[] => []);
  for (const chain of chains)
    for (const [index, node] of chain.entries()) {
      const next = chain[index + 1];
      if (next === undefined || next === node) continue;
      down[node]?.push(next);
      up[next]?.push(node);
    }
  const layers = Array.from({ length: Math.max(0, ...layer) + 1 }, (): number[] => []);
  for (let node = 0; node < count; node++) layers[layer[node] ?? 0]?.push(node);
  orderLayers(layers, { up, down });
  const widthOf = (node: number): number => (node < nodes.length ? width : 12);
  const x = positionNodes(layers, { up, down }, widthOf, gapX);
  const left = Math.min(...x.map((at, node) => at - widthOf(node) / 2), 0);
  const right = Math.max(...x.map((at, node) => at + widthOf(node) / 2), width);
  const point = (node: number): Point => ({
    x: Math.round((x[node] ?? 0) - left),
    y: Math.round((layer[node] ?? 0) * (height + gapY) + height / 2),
  });
  return {
    width: Math.round(right - left),
    height: layers.length * (height + gapY) - gapY,
    nodes: new Map(nodes.map((id, index) => [id, point(index)])),
    edges: chains.map((chain, index) => {
      const points = chain.map((node) => point(node));
      return downward[index] === links[index] ? points : points.reverse();
    }),
  };
}
