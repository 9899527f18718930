// `ctx.services.socialFigures`: figures that a caller asked for now. Kept in this process for a minute, so that a network is asked
// at most once a minute a post; nothing is stored.
import type { ServiceSurface } from '../../../core/index.ts';
import type { PostFigures } from '../port/index.ts';

const freshMs = 60_000;
/** Posts kept; the oldest goes first. */
const most = 1_000;

/** Figures of a post by target. */
export type PolledFigures = ReadonlyMap<string, { readonly figures: PostFigures; readonly collectedAt: number }>;

/** The polls of this process. */
export interface FiguresPolls {
  /** Whether the networks may be asked now. Answering yes begins the minute. */
  begin(workspaceId: string, postId: string): boolean;
}

/** Makes them. */
export function createFiguresPolls({ ports }: ServiceSurface): FiguresPolls {
  const polled = new Map<string, number>();
  return {
    begin(workspaceId, postId) {
      const key = `${workspaceId} ${postId}`;
      const now = ports.now();
      if ((polled.get(key) ?? Number.NEGATIVE_INFINITY) > now - freshMs) return false;
      polled.delete(key);
      polled.set(key, now);
      for (const old of polled.keys()) if (polled.size > most) polled.delete(old);
      return true;
    },
  };
}

declare module '../../../core/contract/open.ts' {
  interface Services {
    socialFigures: FiguresPolls;
  }
}
