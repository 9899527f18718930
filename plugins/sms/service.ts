// `ctx.services.sms`: what other plugins ask about numbers and texts.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { loadSettings } from './settings.ts';
import { latestGrant } from './store.ts';
import { listTemplates } from './templates.ts';

/** The text of an installed template. */
export interface SmsText {
  readonly body: string;
  /** The contract of its variables, as JSON Schema. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** `ctx.services.sms`. */
export interface SmsService {
  /**
   * The id of the consent that a number (E.164) gave last; undefined where it gave none. Whether it is still in force is decided
   * by the send that names it.
   */
  latestConsent(handle: WorkspaceHandle, number: string): Promise<string | undefined>;
  /** The installed templates as the workspace words them, by key. */
  texts(handle: WorkspaceHandle): Promise<ReadonlyMap<string, SmsText>>;
}

/** An entry of `sms.template_changes`, of a plugin that keeps something that depends on the templates of SMS. */
export interface SmsTemplateChanges {
  /** Templates have another wording, or are installed or taken away. Called in the transaction that changes them. */
  smsTemplatesChanged(ctx: TransactionContext, templateKeys: readonly string[]): Promise<void>;
}

/** Makes the service, which has no state. */
export const createSmsService = (): SmsService => ({
  latestConsent: latestGrant,
  async texts(handle) {
    const installed = await listTemplates(handle, await loadSettings(handle));
    return new Map(installed.map(({ templateKey, body, variables }) => [templateKey, { body, variables }]));
  },
});

declare module '../../core/contract/open.ts' {
  interface Services {
    sms: SmsService;
  }
  interface ExtensionPoints {
    'sms.template_changes': SmsTemplateChanges;
  }
}
