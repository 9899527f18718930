// The SMS settings of a workspace, with defaults. Loaded once for each call; changed by service.sms.
import type { OperationContext, WorkspaceHandle } from '../../core/index.ts';
import { afterQuietHours, type QuietHours, zonesOf } from '../../core/unstable.ts';
import type { LinksService } from '../links/service.ts';
import type { SmsClass } from './kit/kit.ts';
import type { SmsRules } from './options.ts';
import { type SmsSettingsRow, settingsRows } from './tables.ts';

/** The settings of a workspace without settings of its own. */
export const noSettings: Omit<SmsSettingsRow, 'id' | 'updated_at'> = {
  sender: null,
  countries: null,
  quiet_hours: null,
  link_domains: [],
  templates: null,
  help_text: null,
};

export type WorkspaceSmsSettings = typeof noSettings;

/** The settings row of a workspace, if it has one. */
export async function findSettings(handle: WorkspaceHandle): Promise<SmsSettingsRow | undefined> {
  const [row] = await settingsRows.page(handle, { limit: 1 });
  return row;
}

export const loadSettings = async (handle: WorkspaceHandle): Promise<WorkspaceSmsSettings> =>
  (await findSettings(handle)) ?? noSettings;

/** Null if there are no quiet hours. */
const quietHoursOf = ({ quiet_hours: own }: WorkspaceSmsSettings, fallback: QuietHours | null): QuietHours | null =>
  own === null ? fallback : own === 'none' ? null : own;

/**
 * The time at which a reminder is sent that was accepted in quiet hours. Null for a reminder outside quiet hours, and for any other message: it
 * is sent at once.
 */
export function delayedUntil(
  rules: Pick<SmsRules, 'quietHours'>,
  settings: WorkspaceSmsSettings,
  sms: { readonly class: SmsClass; readonly country: string | undefined; readonly timeZone: string | undefined },
  now: number,
): number | null {
  const hours = quietHoursOf(settings, rules.quietHours);
  if (sms.class !== 'reminder' || hours === null) return null;
  const zones = sms.timeZone === undefined ? zonesOf(sms.country) : [sms.timeZone];
  const at = afterQuietHours(hours, zones, now);
  return at > now ? at : null;
}

/** The hosts that sign-in links may use: short-link domains, and hosts that the program configured. */
export async function linkDomains(
  { trx, services }: OperationContext,
  settings: WorkspaceSmsSettings,
): Promise<string[]> {
  const links: LinksService | undefined = services.links;
  const ownDomains = links === undefined ? [] : await links.domainsOf(trx);
  return [...new Set([...ownDomains, ...settings.link_domains])];
}
