// The lines in which background work waits for networks: refreshes, and figures. Each kind has a few, so that however many
// workspaces there are, publications and sends wait for at most one job of each line; and a workspace always stands in the same
// one, so that its slow networks hold up the others of that line alone.
import { hash } from 'node:crypto';

const lines = 8;

/** The concurrency key of such a job. */
export const lineOf = (kind: string, workspaceId: string): string =>
  `${kind}.${Number.parseInt(hash('sha256', workspaceId).slice(0, 8), 16) % lines}`;
