// The initial row of a sequence, and the columns that are derived from its definition.
import type { Definition } from './definition/schema.ts';
import type { SequenceRow } from './tables.ts';

/** The columns that depend on the definition. They always change together. */
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
