// The row of a sequence as it begins, and the columns that follow from its definition.
import type { Definition } from './definition/schema.ts';
import type { SequenceRow } from './tables.ts';

/** The columns that hold a definition: all change together. */
export const definitionColumns = (definition: Definition) => ({
  definition,
  trigger: definition.trigger,
  node_count: definition.nodes.length,
  edge_count: definition.edges.length,
});

/** A draft that was never published. */
export const draftRow = ({
  definition,
  now,
  ...given
}: Pick<SequenceRow, 'id' | 'key' | 'name' | 'source'> & {
  readonly definition: Definition;
  readonly now: number;
}): SequenceRow => ({
  ...given,
  ...definitionColumns(definition),
  status: 'draft',
  version: 0,
  draft: true,
  start_key: null,
  version_id: null,
  published_by: null,
  published_member: null,
  created_at: now,
  updated_at: now,
});
