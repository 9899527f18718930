// Requests, messages and consents for the fixtures of this plugin.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';
import { kit } from '../kit/kit.ts';
import { wordingRows } from '../tables.ts';

let counter = 0;

/** A message that does not need a consent. */
export const loginCode = { templateKey: 'auth_login_code', variables: { code: '482913' } };
/** A message that needs a consent. */
export const orderShipped = { templateKey: 'order_shipped', variables: { order: 'A-1042' } };

/** The errors of rendering a template. `fields` are the fields of the request except template and variables. */
export const templateErrorCases = (fields: object = {}): ErrorCases => ({
  sms_template_not_found: 'unreachable here: shown in test/plugins/sms-templates.test.ts',
  sms_body_empty: 'unreachable here: shown in test/plugins/sms-templates.test.ts',
  variables_invalid: async () => ({ body: { ...fields, ...loginCode, variables: {} } }),
});

/** The id of a consent of the workspace. */
export async function someConsent(kit: FixtureKit, workspaceId: string): Promise<string> {
  const consent = { to: '+14155550135', source: 'Checkout form', wording: 'Text me about my order.' };
  return String((await kit.call('sms.consent_create', consent, workspaceId)).id);
}

/** Gives the workspace its own text for a reserved key. Each call uses another key. Returns the name of the text. */
export function someWording({ unique, write }: FixtureKit, workspaceId: string): Promise<string> {
  counter += 1;
  const { templateKey: template_key = '', body = '' } = kit[counter % kit.length] ?? {};
  const name = unique('wording');
  return write(async ({ trx, now }) => {
    const row = { template_key, name, body, variables: null, updated_at: now };
    await wordingRows.upsert(trx, row, ['template_key'], row);
    return name;
  }, workspaceId);
}

/** The id of an accepted message of the workspace. */
export async function someSms(kit: FixtureKit, workspaceId: string): Promise<string> {
  counter += 1;
  // Uses distant blocks of numbers, because the limits against toll fraud count nearby numbers.
  const to = `+1415${String(2_000_000 + ((counter * 7_013) % 7_000_000))}`;
  return String((await kit.call('sms.send', { ...loginCode, to }, workspaceId)).id);
}
