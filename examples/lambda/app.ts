// The program of `cdk deploy`. It passes variables of its own environment to the function.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { MessagingStack } from './stack.js';

const {
  DATABASE_URL = '',
  POSTRIDER_KEY = '',
  POSTRIDER_URL = '',
  SMTP_HOST = '',
  SMTP_PORT = '587',
  SMTP_USER = '',
  SMTP_PASSWORD = '',
  VPC_ID,
  CDK_DEFAULT_ACCOUNT = '',
  CDK_DEFAULT_REGION = '',
} = process.env;

const app = new App();
new MessagingStack(app, 'Messaging', {
  bundle: join(dirname(fileURLToPath(import.meta.url)), 'dist'),
  // To look up the VPC, CDK needs the account and the region. It reads them from the profile.
  ...(VPC_ID ? { vpcId: VPC_ID, env: { account: CDK_DEFAULT_ACCOUNT, region: CDK_DEFAULT_REGION } } : {}),
  environment: { DATABASE_URL, POSTRIDER_KEY, POSTRIDER_URL, SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD },
});
app.synth();
