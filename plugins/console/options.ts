// The options of the console plugin. Types only; read by plugin.ts, routes.ts and visitor.ts.
import type { AccessFunction } from '../../core/index.ts';

/** Options of `consolePlugin`. */
export interface ConsoleOptions {
  /**
   * Returns the signed-in person and their workspaces. Give it if your team signs in elsewhere than your customers. (Default: the
   * option `access` of createService. Without either, the console answers requests of this machine in development, and is not
   * served in production)
   */
  readonly access?: AccessFunction;
  /**
   * The uid of the member for whom requests of this machine act if there is no `access`, because decisions need a member. (Default: none)
   */
  readonly localMember?: string;
}
