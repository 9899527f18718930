import type { WorkspaceHandle } from 'postrider';
import { surveys } from './surveys.js';

/** The service for other plugins, as `ctx.services.surveys`. */
export function createSurveys() {
  return {
    /** The latest score of a customer; undefined if there is none. */
    async latestScore(handle: WorkspaceHandle, email: string): Promise<number | undefined> {
      const [latest] = await surveys.rows.page(handle, { where: { email, status: 'answered' }, limit: 1 });
      return latest?.score ?? undefined;
    },
  };
}

declare module 'postrider/open' {
  interface Services {
    surveys: ReturnType<typeof createSurveys>;
  }
}
