import type { TestContext } from 'node:test';
import { standardPlugins } from 'postrider/plugins';
import { createTestService } from 'postrider/testing';
import { surveysPlugin } from '../src/index.js';

export const open = () => createTestService({ plugins: [...standardPlugins, surveysPlugin()] });

export const hour = 3_600_000;

/** A service for one test, and the calls of its two workspaces. */
export async function openFor(t: TestContext) {
  const kit = await open();
  t.after(() => kit.close());
  return {
    kit,
    surveys: kit.service.as(kit.workspaceId).surveys,
    foreignSurveys: kit.service.as(kit.foreignWorkspaceId).surveys,
    inOneHour: new Date(kit.now() + hour).toISOString(),
  };
}

export const asked = { email: 'ada@example.com', question: 'How was the delivery?' };
