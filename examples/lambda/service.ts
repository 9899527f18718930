// The service of the function: all standard plugins on PostgreSQL, configured by the function's environment. Creating
// it opens no connection.
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { sqsQueue } from 'postrider/adapters/queue/sqs';
import { postgresStorage } from 'postrider/adapters/storage/postgres';
import { standardPlugins } from 'postrider/plugins';

const {
  DATABASE_URL = '',
  POSTRIDER_KEY = '',
  POSTRIDER_URL = '',
  QUEUE_URL = '',
  SMTP_HOST = '127.0.0.1',
  SMTP_PORT = '587',
  SMTP_USER = '',
  SMTP_PASSWORD = '',
} = process.env;

export const service = createService({
  plugins: standardPlugins,
  // Two connections are enough, because an instance handles one event at a time. There may be many instances.
  storage: postgresStorage({ connectionString: DATABASE_URL, maxConnections: 2 }),
  // Without a queue, a function delivers accepted work itself, before it answers.
  ...(QUEUE_URL === '' ? {} : { queue: sqsQueue({ url: QUEUE_URL }) }),
  keyring: localKeyring({ keys: POSTRIDER_KEY }),
  mail: smtpMail({
    host: SMTP_HOST,
    port: Number(SMTP_PORT),
    poolSize: 2,
    ...(SMTP_USER === '' ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD } }),
  }),
  ...(POSTRIDER_URL === '' ? {} : { publicUrl: POSTRIDER_URL }),
});
