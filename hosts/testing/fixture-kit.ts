// The tools of fixtures, on a test service. Called by the generated tests of operations and by tests that create their rows.

import type { FixtureKit } from '../../core/contract/declaration/fixture.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { callInProcess } from '../../core/kernel/in-process.ts';
import { createEffects } from '../../core/pipeline/call-effects.ts';
import { findWorkspace } from '../../core/pipeline/workspaces.ts';
import type { AnyTestService } from './test-service.ts';

/** The caller of a kit's calls, and their side of the workspace. */
export interface FixtureKitOptions {
  /** The name in the audit. (Default: fixture) */
  readonly actor?: string;
  /** Creates rows on the sandbox side; `liveOnly` calls run on the live side. (Default: false) */
  readonly sandbox?: boolean;
}

/** Rethrows an `internal_error` with its cause, which callers do not see, for the author of a fixture. */
const showCause = (operationId: string) => (error: unknown) => {
  if (!isPostriderError(error, 'internal_error') || error.cause === undefined) throw error;
  const { cause } = error;
  const causeText = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  throw new Error(`The fixture's call of ${operationId} failed. The cause: ${causeText}`, { cause });
};

/** Makes a fixture kit on a test service. */
export function createFixtureKit(test: AnyTestService, options: FixtureKitOptions = {}): FixtureKit {
  const { service, workspaceId, foreignWorkspaceId } = test;
  const { actor = 'fixture', sandbox = false } = options;
  const { core } = service;
  let counter = 0;
  return {
    workspaceId,
    foreignWorkspaceId,
    services: core.services,
    apiKey: async (owner = workspaceId) =>
      (await service.keys.create({ workspaceId: owner, name: 'fixture', preset: 'read' })).id,
    unique(prefix) {
      counter += 1;
      return `${prefix}-${counter}-${core.ports.ids.create('x').slice(-6)}`;
    },
    async call(operationId, flat, owner = workspaceId) {
      const operation = core.registry.operations.get(operationId);
      if (operation === undefined) throw new Error(`The fixture calls ${operationId}, which is not composed.`);
      const caller = { actor, sandbox: sandbox && !operation.liveOnly };
      const answer = await callInProcess(core, operation, owner, caller, flat, {}).catch(showCause(operationId));
      return answer as Record<string, unknown>;
    },
    async write(work, owner = workspaceId) {
      const database = await core.database();
      const workspace = await database.read(owner, (handle) => findWorkspace(handle, core.plans));
      if (workspace === undefined) throw new Error(`There is no workspace ${owner}.`);
      return database.transact(async (scope) => {
        const result = await work(createEffects({ core, scope, workspace, now: core.ports.now(), sandbox }));
        await scope.flush();
        return result;
      });
    },
  };
}
