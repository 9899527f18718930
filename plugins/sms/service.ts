// `ctx.services.sms`: gives other plugins the consents of numbers and the texts of templates.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { listTemplates } from './accept/templates.ts';
import { loadSettings } from './settings.ts';
import { latestGrant } from './store.ts';

/** The text of an installed template. */
export interface SmsText {
  readonly body: string;
  /** The contract of its variables, as JSON Schema. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** `ctx.services.sms`. */
export interface SmsService {
  /**
   * The id of the latest consent of a number (E.164); undefined if there is none. The send that uses the id checks whether the
   * consent is still valid.
   */
  latestConsent(handle: WorkspaceHandle, number: string): Promise<string | undefined>;
  /** The installed templates with the workspace's texts, by key. */
  texts(handle: WorkspaceHandle): Promise<ReadonlyMap<string, SmsText>>;
}

/** An entry of `sms.template_changes`, for a plugin whose data depends on SMS templates. */
export interface SmsTemplateChanges {
  /** Called when templates get new texts, are installed or are removed, in the transaction of the change. */
  smsTemplatesChanged(ctx: TransactionContext, templateKeys: readonly string[]): Promise<void>;
}

/** Creates the service. It has no state. */
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
