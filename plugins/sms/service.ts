// `ctx.services.sms`: what other plugins ask about numbers.
import type { WorkspaceHandle } from '../../core/index.ts';
import { latestGrant } from './store.ts';

/** `ctx.services.sms`. */
export interface SmsService {
  /**
   * The id of the consent that a number (E.164) gave last; undefined where it gave none. Whether it is still in force is decided
   * by the send that names it.
   */
  latestConsent(handle: WorkspaceHandle, number: string): Promise<string | undefined>;
}

/** Makes the service, which has no state. */
export const createSmsService = (): SmsService => ({ latestConsent: latestGrant });

declare module '../../core/contract/open.ts' {
  interface Services {
    sms: SmsService;
  }
}
