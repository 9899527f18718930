// The SMS plugin: transactional SMS from a kit of reserved keys, with consents and delivery.
import { type CallsOf, checkOptions, definePlugin, definePort, errorDefinitions } from '../../core/index.ts';
import { OutageLog } from '../../core/unstable.ts';
import { createSmsTexts, type SmsTexts } from './accept/templates.ts';
import { consolePages } from './console/index.ts';
import { noSms } from './delivery/no-sms.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { deliverSms } from './jobs/deliver-sms.ts';
import { simulateSms } from './jobs/simulate-sms.ts';
import { migration0001 } from './migrations/0001-sms.ts';
import { operations } from './operations/index.ts';
import { type SmsPluginOptions, type SmsRules, smsRules } from './options.ts';
import { personalData } from './personal-data.ts';
import type { SmsAdapter } from './port/index.ts';
import { createSmsProvisioning, type SmsProvisioning } from './provisioning.ts';
import { inboundRoute } from './routes/inbound.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createSmsService } from './service.ts';
import { tables } from './tables.ts';
import { smsTimeline } from './timeline/person-timeline.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    sms: CallsOf<typeof operations>;
  }
  interface Services {
    smsTexts: SmsTexts;
    smsRules: SmsRules;
    /** Providers that currently cannot be reached. */
    smsOutages: OutageLog;
  }
  interface Ports {
    sms: { plugin: 'sms'; adapter: SmsAdapter };
  }
  interface Provisioning {
    sms: { plugin: 'sms'; calls: SmsProvisioning };
  }
  interface PluginPlanLimits {
    /** The maximum number of SMS segments in a calendar month (UTC). */
    readonly monthlySmsBudget: number;
  }
}

/** Transactional SMS. @throws TypeError if an option is not valid */
export function smsPlugin(options: SmsPluginOptions = {}) {
  checkOptions<SmsPluginOptions>('smsPlugin', options, {
    limits: 'optional',
    quietHours: 'optional',
    onSuspicion: 'optional',
  });
  const rules = smsRules(options);
  return definePlugin({
    id: 'sms',
    searchWords: {
      sms: ['text', 'texts', 'phone', 'mobile', 'cell', 'number', 'message'],
      consent: ['agreed', 'permission', 'optin', 'allowed', 'said', 'withdraw', 'stop', 'unsubscribe', 'revoke', 'ok'],
    },
    requires: ['templates', 'suppressions'],
    scopes,
    operations,
    console: consolePages,
    publicRoutes: [inboundRoute],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [deliverSms, simulateSms],
    schedules,
    retention,
    personalData,
    planLimits: {
      monthlySmsBudget: { description: 'SMS segments in a calendar month (UTC).', default: 1_000, min: 0 },
    },
    ports: {
      sms: definePort<SmsAdapter>({
        description: 'Hands texts to an SMS provider.',
        methods: ['send', 'close'],
        suite: 'smsAdapterSuite of postrider/plugins/sms/testing',
        default: noSms,
      }),
    },
    timeline: [smsTimeline],
    extensionPoints: ['sms.template_changes'],
    services: {
      sms: createSmsService,
      smsTexts: createSmsTexts,
      smsRules: () => rules,
      smsOutages: ({ log }) => new OutageLog(log),
    },
    provisioning: { sms: createSmsProvisioning },
  });
}
