// The email plugin: sends and their delivery.
import { type CallsOf, checkOptions, definePlugin, definePort, errorDefinitions } from '../../core/index.ts';
import { OutageLog } from '../../core/unstable.ts';
import type { TemplateCallers } from '../templates/index.ts';
import { type BulkMailService, createBulkMail } from './accept/bulk-mail.ts';
import { createSystemMail, type SystemMailService } from './accept/system-mail.ts';
import type { TypedSends } from './accept/typed-sends.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { createMailDecisions, type MailDecisionsService } from './decision/service.ts';
import type { BroadcastSends } from './delivery/broadcast-sends.ts';
import { createMailSource, type MailSourceService } from './delivery/mail-source.ts';
import { noMail } from './delivery/no-mail.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { deliverSend } from './jobs/deliver-send.ts';
import { finishBatch } from './jobs/finish-batch.ts';
import { simulateSend } from './jobs/simulate-send.ts';
import { migration0001 } from './migrations/0001-sends.ts';
import { operations } from './operations/index.ts';
import type { EmailPluginOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import type { MailAdapter } from './port/index.ts';
import { prompts } from './prompts.ts';
import { createIngestMail, type IngestMail } from './reports/ingest-mail.ts';
import { createReturnPaths, type ReturnPathsService } from './reports/return-paths.ts';
import { createSendReportsService, type SendReportsService } from './reports/send-reports.ts';
import { softBounceRule } from './reports/soft-bounces.ts';
import { providerReportRoutes } from './routes/provider-reports.ts';
import { trackingRoutes } from './routes/tracking.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { callersThatSent } from './store.ts';
import { tables } from './tables.ts';
import { sendTimeline } from './timeline/person-timeline.ts';
import { createMailMarking } from './tracking/mail-marking.ts';
import type { MailPreferences } from './tracking/mail-preferences.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    email: TypedSends<CallsOf<typeof operations>>;
  }
  interface Services {
    sendReports: SendReportsService;
    returnPaths: ReturnPathsService;
    mailSource: MailSourceService;
    systemMail: SystemMailService;
    mailDecisions: MailDecisionsService;
    /** Mail servers and providers that currently cannot be reached. */
    mailOutages: OutageLog;
    mailPreferences?: MailPreferences;
    broadcastSends?: BroadcastSends;
    bulkMail: BulkMailService;
  }
  interface Provisioning {
    ingestMail: { plugin: 'email'; calls: IngestMail };
  }
  interface PluginPlanLimits {
    /** The maximum number of sends in a calendar month (UTC). */
    readonly monthlySendBudget: number;
  }
  interface Ports {
    mail: { plugin: 'email'; adapter: MailAdapter };
  }
}

/** Lists the callers that a publish would break. */
const templateCallers = (): TemplateCallers => ({
  callersSince: (handle, templateKey, since) => callersThatSent(handle, templateKey, since, 20),
});

/** Transactional email. */
export const emailPlugin = (options: EmailPluginOptions = {}) => {
  checkOptions<EmailPluginOptions>('emailPlugin', options, {
    bounces: 'optional',
    classify: 'optional',
    reports: 'optional',
    softBounces: 'optional',
    unsubscribeTexts: 'optional',
  });
  const softBounces = softBounceRule(options.softBounces);
  return definePlugin({
    id: 'email',
    searchWords: {
      send: ['mail', 'email', 'message', 'arrived', 'delivered', 'letter'],
      send_test: ['trial', 'sample', 'myself', 'proof'],
      send_transactional_batch: ['bulk', 'mass', 'different', 'many', 'personalised'],
      cancel_scheduled_send: ['recall', 'tonight', 'tomorrow', 'later', 'mistake'],
      send_transactional: ['ticket', 'invite', 'reminder', 'appointment', 'payment', 'refund', 'password', 'lost'],
    },
    requires: ['templates', 'suppressions'],
    extensionPoints: ['email.marketing_facts', 'email.results'],
    scopes,
    operations,
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
    publicRoutes: [...trackingRoutes(options), ...providerReportRoutes(options)],
    resources: [
      {
        uri: 'postrider://sends/{id}',
        name: 'send',
        title: 'Send',
        description: 'One message, its status and its timeline.',
        operation: 'sends.read',
        list: 'sends.list',
      },
    ],
    prompts,
    toolWorkflows: [
      { task: 'A mail to one person', tools: ['read_template_schema', 'send_test', 'send_transactional', 'read_send'] },
      { task: 'Why a mail did not arrive', tools: ['list_sends', 'read_send', 'list_suppressions'] },
    ],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    start({ ports, log }) {
      if (ports.mail.idOf('') === 'none')
        log.warn(
          {},
          'no mail adapter is configured: every send fails, except in workspaces that have a connector. Give createService a `mail`, such as smtpMail({ host })',
        );
    },
    jobs: [deliverSend, simulateSend, finishBatch],
    schedules,
    retention,
    personalData,
    planLimits: {
      monthlySendBudget: {
        description: 'Sends in a calendar month (UTC).',
        default: Number.POSITIVE_INFINITY,
        plans: { hobby: 3_000, pro: 50_000, scale: 500_000 },
        min: 0,
      },
    },
    ports: {
      mail: definePort<MailAdapter>({
        description: 'Hands finished messages to a mail provider.',
        methods: ['send', 'close'],
        suite: 'mailAdapterSuite of postrider/plugins/email/testing',
        default: noMail,
      }),
    },
    timeline: [sendTimeline],
    provisioning: { ingestMail: createIngestMail(options) },
    services: {
      templateCallers,
      sendReports: () => createSendReportsService(softBounces),
      returnPaths: ({ ports }) => createReturnPaths(ports.keyring, options.bounces),
      mailSource: createMailSource,
      systemMail: createSystemMail,
      bulkMail: createBulkMail,
      mailDecisions: createMailDecisions,
      mailMarking: createMailMarking,
      mailOutages: ({ log }) => new OutageLog(log),
    },
  });
};
