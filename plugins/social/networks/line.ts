// The concurrency lines of background jobs that call networks: refreshes and figures. Each job kind has a fixed number of lines, and a
// line runs one job at a time, so publications and sends wait for at most one job of each line, however many workspaces there are. A
// workspace always uses the same line, so its slow networks delay only the other workspaces of that line.
import { hash } from 'node:crypto';

const lines = 8;

/** The concurrency key of a job of this kind for a workspace. */
export const lineOf = (kind: string, workspaceId: string): string =>
  `${kind}.${Number.parseInt(hash('sha256', workspaceId).slice(0, 8), 16) % lines}`;
