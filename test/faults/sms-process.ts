// Delivers the messages that wait in a database until its standard input ends. Kills itself after the provider's answer, before the
// answer is recorded: `node sms-process.js FILE URL`.
import { text } from 'node:stream/consumers';
import { twilioSms } from '../../adapters/sms/twilio.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { smsTestService } from './sms-service.ts';

const [, , filename = '', url = ''] = process.argv;
const service = smsTestService({
  storage: sqliteStorage({ filename }),
  sms: twilioSms({ accountSid: `AC${'0'.repeat(32)}`, authToken: 'twilio-auth-token', from: '+12025550100', url }),
  onPhase(phase) {
    if (phase === 'sms.handed_over') process.kill(process.pid, 'SIGKILL');
  },
});
await service.start();
await text(process.stdin);
await service.stop();
