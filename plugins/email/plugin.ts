// The email plugin: sends and their delivery.
import { type CallsOf, checkOptions, definePlugin, definePort, errorDefinitions } from '../../core/index.ts';
import { OutageLog } from '../../core/unstable.ts';
import type { TemplateCallers } from '../templates/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { deliverSend } from './jobs/deliver-send.ts';
import { finishBatch } from './jobs/finish-batch.ts';
import { simulateSend } from './jobs/simulate-send.ts';
import { createMailMarking } from './mail-marking.ts';
import type { MailPreferences } from './mail-preferences.ts';
import { createMailSource, type MailSourceService } from './mail-source.ts';
import { migration0001 } from './migrations/0001-sends.ts';
import { noMail } from './no-mail.ts';
import { operations } from './operations/index.ts';
import type { EmailPluginOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import type { MailAdapter } from './port/index.ts';
import { prompts } from './prompts.ts';
import { createSendReportsService, type SendReportsService } from './reports.ts';
import { providerReportRoutes } from './routes/provider-reports.ts';
import { trackingRoutes } from './routes/tracking.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { sendTimeline } from './send-timeline.ts';
import { callersThatSent } from './store.ts';
import { createSystemMail, type SystemMailService } from './system-mail.ts';
import { tables } from './tables.ts';
import type { TypedSends } from './typed-sends.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    email: TypedSends<CallsOf<typeof operations>>;
  }
  interface Services {
    sendReports: SendReportsService;
    mailSource: MailSourceService;
    systemMail: SystemMailService;
    /** Mail servers and providers that currently cannot be reached. */
    mailOutages: OutageLog;
    mailPreferences?: MailPreferences;
  }
  interface PluginFigures {
    /** Sends in a calendar month (UTC). */
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
    classify: 'optional',
    reports: 'optional',
    unsubscribeTexts: 'optional',
  });
  return definePlugin({
    id: 'email',
    requires: ['templates', 'suppressions'],
    scopes,
    operations,
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
    toolOrders: [
      { job: 'A mail to one person', tools: ['read_template_schema', 'send_test', 'send_transactional', 'read_send'] },
      { job: 'Why a mail did not arrive', tools: ['list_sends', 'read_send', 'list_suppressions'] },
    ],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    start({ ports, log }) {
      if (ports.mail.idOf('') === 'none')
        log.warn(
          {},
          'no mail adapter is configured: sends fail, but those of workspaces with a connector. Give createService a `mail`, such as smtpMail({ host })',
        );
    },
    jobs: [deliverSend, simulateSend, finishBatch],
    schedules,
    retention,
    personalData,
    figures: {
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
    services: {
      templateCallers,
      sendReports: createSendReportsService,
      mailSource: createMailSource,
      systemMail: createSystemMail,
      mailMarking: createMailMarking,
      mailOutages: ({ log }) => new OutageLog(log),
    },
  });
};
