// Connectors that the fixtures of this plugin need. They are written directly: no operation makes one.
import type { FixtureKit } from '../../../core/index.ts';
import { connectorRows } from '../tables.ts';

/** The id of a connector of the workspace. */
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
