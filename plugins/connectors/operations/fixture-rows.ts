// Connectors that the fixtures of this plugin need. They are inserted directly, because no operation creates connectors.
import type { FixtureKit } from '../../../core/index.ts';
import { connectorRows } from '../tables.ts';

/** Inserts a connector into the workspace and returns its id. */
export const someConnector = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  kit.write(async ({ trx, now, newId }) => {
    const { id } = await connectorRows.insert(trx, {
      id: newId('con'),
      kind: 'mail',
      provider: 'smtp',
      name: kit.unique('Receipts'),
      options: { host: 'smtp.example.com' },
      uses: { categories: [], templates: [] },
      status: 'connected',
      last_used_at: null,
      created_at: now,
      updated_at: now,
    });
    return id;
  }, workspaceId);
