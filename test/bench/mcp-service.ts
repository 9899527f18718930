/*
 * The service of the MCP endpoint's workloads, for the contestant with keys and the one with OAuth tokens: 250 tools, one of them
 * narrowed to the workspace's templates.
 */
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import type { ContestantSettings } from './contestant.ts';
import { defaultFrom, receiptHtml, subject, templateKey, variablesSchema } from './mail-fixture.ts';
import { benchPlugins } from './mcp-fixture.ts';

/** The service's public address, at which no server needs to answer: only OAuth tokens name it. */
export const publicUrl = 'https://bench.example';

/** The only member, who allows all agents. */
export const benchMember = { uid: 'u_bench', name: 'Bench', email: 'bench@bench.example', role: 'owner' };

/** Creates the service and its workspaces. */
export async function createMcpService({ databasePath, workspaces }: ContestantSettings) {
  const workspaceIds: string[] = [];
  const service = createService({
    storage: sqliteStorage({ filename: databasePath }),
    plugins: benchPlugins,
    mail: captureMail(),
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
    environment: 'production',
    plans: { pro: { keyRate: 1e6, keyBurst: 2e6, workspacePerMinute: 1e9, monthlySendBudget: 1e9 } },
    publicUrl,
    members: { list: async () => [benchMember] },
    access: () => ({
      member: benchMember.uid,
      name: benchMember.name,
      workspaces: workspaceIds.map((id) => ({ id, scopes: 'full' as const })),
    }),
  });
  await service.migrate();
  for (let index = 0; index < workspaces; index += 1) {
    const { id } = await service.workspaces.create({ name: `Bench ${index}`, plan: 'pro', defaultFrom });
    const { templates } = service.as(id);
    await templates.create({ key: templateKey, mode: 'html', subject, body: receiptHtml, variables: variablesSchema });
    await templates.publish({ key: templateKey });
    workspaceIds.push(id);
  }
  return { service, workspaceIds };
}
