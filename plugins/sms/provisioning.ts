// `service.sms`: calls that only the embedding program may make for a workspace. Audited.
import { coreErrors, type ProvisioningContext, type TransactionContext } from '../../core/index.ts';
import { countryFault, lockWorkspace, type QuietHours } from '../../core/unstable.ts';
import { listTemplates, presentTemplate } from './accept/templates.ts';
import { errors } from './errors.ts';
import { findKitTemplate, kitKeys } from './kit/kit.ts';
import { areHours } from './options.ts';
import type { CatalogTemplate } from './schema.ts';
import { findSettings, loadSettings, noSettings } from './settings.ts';
import { type SmsSettingsRow, type SmsWordingRow, settingsRows, wordingRows } from './tables.ts';

/** Settings of a workspace. */
export interface SmsSettings {
  /** The sender of messages: an E.164 number, a name, or a service of the provider. Null: the adapter's own sender. */
  readonly sender: string | null;
  /** ISO 3166-1 alpha-2 codes of the allowed recipient countries. Null: the country of the sending number. */
  readonly countries: readonly string[] | null;
  /** The hours in which reminders wait, in the recipient's local time. Null: the plugin's options apply. */
  readonly quietHours: QuietHours | 'none' | null;
  /** Hosts that sign-in links may use, in addition to the workspace's short-link domains. */
  readonly linkDomains: readonly string[];
  /** The installed reserved keys. Null: all. */
  readonly templates: readonly string[] | null;
  /** The reply to HELP, if the provider supports replies. Null: no reply. */
  readonly helpText: string | null;
}

/** The workspace's own text for a reserved key. */
export interface SmsWording {
  /** Liquid, without HTML escaping. */
  readonly body: string;
  /** (Default: the kit's name) */
  readonly name?: string;
  /** JSON Schema of the variables, at most 20,000 characters of JSON. (Default: the kit's schema) */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** `service.sms`. */
export interface SmsProvisioning {
  /** The settings of a workspace. */
  settings(workspaceId: string): Promise<SmsSettings>;
  /** Changes settings. Omitted settings stay as they are. @throws validation_failed */
  configure(workspaceId: string, changes: Partial<SmsSettings>): Promise<SmsSettings>;
  /** Sets the workspace's own text for a reserved key. Null restores the kit's text. @throws template_invalid, sms_template_not_found */
  setWording(workspaceId: string, templateKey: string, wording: SmsWording | null): Promise<CatalogTemplate>;
}

/** The maximum size of a text's variable contract, in characters of JSON. */
const longestContract = 20_000;

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary });
};

const isHost = (text: string): boolean => /^(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/.test(text);

/** @throws validation_failed */
function check({ sender, countries, quietHours, linkDomains, templates, helpText }: Partial<SmsSettings>): void {
  if (sender !== undefined && sender !== null && !/^[^\p{Cc}]{1,100}$/u.test(sender))
    refuse('sender: a number such as +14155550100, a name, or an id of the provider.');
  for (const country of countries ?? []) {
    const fault = countryFault(country);
    if (fault !== undefined) refuse(`countries: ${fault}`);
  }
  if (quietHours !== undefined && quietHours !== null && quietHours !== 'none' && !areHours(quietHours))
    refuse("quietHours: two different times as { from: '21:00', to: '08:00' }, 'none', or null.");
  for (const host of linkDomains ?? [])
    if (!isHost(host)) refuse(`linkDomains: ${JSON.stringify(host)} is not a host, such as go.example.com.`);
  for (const key of templates ?? [])
    if (!kitKeys.includes(key))
      refuse(`templates: ${JSON.stringify(key)} is not a reserved key. Available: ${kitKeys.join(', ')}.`);
  if (helpText !== undefined && helpText !== null && helpText.length > 480) refuse('helpText: at most 480 characters.');
}

const present = (row: Omit<SmsSettingsRow, 'id' | 'updated_at'>): SmsSettings => ({
  sender: row.sender,
  countries: row.countries,
  quietHours: row.quiet_hours,
  linkDomains: row.link_domains,
  templates: row.templates,
  helpText: row.help_text,
});

async function save({ trx, now, newId }: TransactionContext, changes: Partial<SmsSettings>): Promise<SmsSettings> {
  await lockWorkspace(trx);
  const before = await findSettings(trx);
  const next = { ...present(before ?? noSettings), ...changes };
  const columns = {
    sender: next.sender,
    countries: next.countries,
    quiet_hours: next.quietHours,
    link_domains: next.linkDomains,
    templates: next.templates,
    help_text: next.helpText,
    updated_at: now,
  };
  if (before === undefined) await settingsRows.insert(trx, { id: newId('sst'), ...columns });
  else await settingsRows.change(trx, before, columns);
  return next;
}

/** Removes undefined settings, because undefined means no change. */
const withoutUndefined = (changes: Partial<SmsSettings>): Partial<SmsSettings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** Notifies plugins that depend on these templates of the change. */
async function notifyTemplatesChanged(ctx: TransactionContext, templateKeys: readonly string[]) {
  for (const changes of ctx.ports.contributions('sms.template_changes').values())
    await changes.smsTemplatesChanged(ctx, templateKeys);
}

/** Creates `service.sms`. */
export const createSmsProvisioning = (ctx: ProvisioningContext): SmsProvisioning => ({
  settings: (workspaceId) => ctx.read(workspaceId, async ({ trx }) => present(await loadSettings(trx))),

  async configure(workspaceId, changes) {
    check(changes);
    return ctx.write(workspaceId, async (tx) => {
      const saved = await save(tx, withoutUndefined(changes));
      if (changes.templates !== undefined) await notifyTemplatesChanged(tx, kitKeys);
      tx.audit('sms.configure', { kind: 'workspace', id: workspaceId }, { fields: Object.keys(changes).join(' ') });
      return saved;
    });
  },

  async setWording(workspaceId, templateKey, wording) {
    const template = findKitTemplate(templateKey);
    if (template === undefined) throw errors.sms_template_not_found({ key: templateKey });
    const { variables, body, name } = wording ?? template;
    if (typeof body !== 'string' || body.length > 5_000) refuse('body: a text of at most 5,000 characters.');
    if (variables !== undefined && JSON.stringify(variables).length > longestContract)
      refuse(`variables: a JSON Schema of at most ${longestContract.toLocaleString('en')} characters.`);
    ctx.services.smsTexts(body, variables ?? template.variables);
    return ctx.write(workspaceId, async (tx) => {
      const { trx, now } = tx;
      await lockWorkspace(trx);
      await wordingRows.remove(trx, templateKey);
      tx.audit('sms.wording', { kind: 'template', id: templateKey });
      const notify = () => notifyTemplatesChanged(tx, [templateKey]);
      if (wording === null) {
        await notify();
        return presentTemplate(template);
      }
      const row: SmsWordingRow = {
        template_key: templateKey,
        name: (name ?? template.name).slice(0, 100),
        body,
        variables: variables ?? null,
        updated_at: now,
      };
      await wordingRows.insert(trx, row);
      await notify();
      const installed = await listTemplates(trx, await loadSettings(trx));
      return (
        installed.find((installedTemplate) => installedTemplate.templateKey === templateKey) ??
        presentTemplate(template, row)
      );
    });
  },
});
