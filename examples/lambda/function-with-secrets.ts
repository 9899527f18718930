// A function whose secrets are in AWS Secrets Manager or in the parameter store. At its first event it reads them, and then
// the service is created. Build it with: npx tsx examples/lambda/build.ts examples/lambda/dist function-with-secrets.ts
import { lambdaHost } from 'postrider/lambda';
import { readSecrets } from './secrets.js';

export const handler = lambdaHost(async () => {
  await readSecrets();
  return (await import('./service.js')).service;
});

export const migrate: typeof handler = (_event, context) => handler({ action: 'migrate' }, context);
