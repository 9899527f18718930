// What the picture of a sequence can show in addition to its definition.

/** Counts of a node. */
export interface NodeCounts {
  readonly reached: number;
  readonly waiting: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface SequenceGraphOptions {
  /** Counts by the ids of nodes. */
  readonly stats?: Readonly<Record<string, NodeCounts>> | undefined;
  /** The nodes that a run has reached, in order. The last is its current node. */
  readonly path?: readonly string[] | undefined;
}

/** Formats counts, such as "120 reached · 5 waiting". Undefined without counts. */
export function countWords(counts: NodeCounts | undefined): string | undefined {
  if (counts === undefined) return undefined;
  const { reached, waiting, skipped, failed } = counts;
  const otherCounts = Object.entries({ waiting, skipped, failed }).filter(([, count]) => count > 0);
  return [`${reached} reached`, ...otherCounts.map(([name, count]) => `${count} ${name}`)].join(' · ');
}
