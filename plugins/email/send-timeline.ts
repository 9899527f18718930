// The latest sends to an address, for whoever shows what happened to a person. `ctx.services.sendTimeline`.
import type { WorkspaceHandle } from '../../core/index.ts';
import { latestSendsTo } from './store.ts';
import type { SendStatus } from './tables.ts';

/** A send, as far as a timeline tells of it. */
export interface SendSummary {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly status: SendStatus;
  readonly templateKey: string;
  readonly subject: string;
  readonly sandbox: boolean;
}

/** `ctx.services.sendTimeline`. */
export interface SendTimelineService {
  /** The latest first; `email` is normalised. */
  latestTo(handle: WorkspaceHandle, email: string, limit: number): Promise<readonly SendSummary[]>;
}

/** The service; it keeps nothing. */
export const createSendTimeline = (): SendTimelineService => ({
  latestTo: async (handle, email, limit) =>
    (await latestSendsTo(handle, email, limit)).map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      status: row.status,
      templateKey: row.template_key,
      subject: row.subject,
      sandbox: row.sandbox === 1,
    })),
});
