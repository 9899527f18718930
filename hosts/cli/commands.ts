// The built-in commands, in the order of the help. Each command has a line here and a file in commands/.
import type { CliCommand } from './command.ts';
import { dev } from './commands/dev.ts';
import { doctor } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { listJobs, retryJobs } from './commands/jobs.ts';
import { createKey, findKey, listKeys, revokeKey } from './commands/keys.ts';
import { mcp } from './commands/mcp.ts';
import { mcpConfig } from './commands/mcp-config.ts';
import { migrate, migrateStatus } from './commands/migrate.ts';
import { asyncapi, openapi } from './commands/openapi.ts';
import { send } from './commands/send.ts';
import { tools } from './commands/tools.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  resumeWorkspaces,
  suspendWorkspaces,
} from './commands/workspaces.ts';

/** All built-in commands. Plugins add commands through their manifests. */
export const commands: readonly CliCommand[] = [
  init,
  dev,
  migrate,
  migrateStatus,
  createWorkspace,
  listWorkspaces,
  suspendWorkspaces,
  resumeWorkspaces,
  deleteWorkspace,
  createKey,
  listKeys,
  findKey,
  revokeKey,
  send,
  listJobs,
  retryJobs,
  openapi,
  asyncapi,
  tools,
  mcp,
  mcpConfig,
  doctor,
];
