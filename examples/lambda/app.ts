// The program of `cdk deploy`: reads the function's environment from this one.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { MessagingStack } from './stack.ts';

const {
  DATABASE_URL = '',
  POSTRIDER_KEY = '',
  POSTRIDER_URL = '',
  SMTP_HOST = '',
  SMTP_USER = '',
  SMTP_PASSWORD = '',
} = process.env;

const app = new App();
new MessagingStack(app, 'Messaging', {
  bundle: join(dirname(fileURLToPath(import.meta.url)), 'dist'),
  environment: { DATABASE_URL, POSTRIDER_KEY, POSTRIDER_URL, SMTP_HOST, SMTP_USER, SMTP_PASSWORD },
});
app.synth();
