// The process that runs the jobs of broadcasts.ts with `--processes 2`: it reports each login code that it hands over, and the
// number of mails.
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { postgresUrl } from '../support/postgres-server.ts';
import { countingMail, createBroadcastsService, type WorkerMessage } from './broadcasts-service.ts';

const [schema = ''] = process.argv.slice(2);
const connectionString = `${postgresUrl}?application_name=${schema}`;
const mail = countingMail();
const service = createBroadcastsService(postgresStorage({ connectionString, schema }), mail.adapter);
const sendToParent = (message: WorkerMessage) => void process.send?.(message);
mail.onMail(({ to }) => {
  if (to.email.startsWith('code')) sendToParent({ code: to.email });
});
const reportTimer = setInterval(() => sendToParent({ mails: mail.count() }), 200);
process.on('message', async () => {
  clearInterval(reportTimer);
  await service.stop();
  process.disconnect();
});
await service.start();
sendToParent({ mails: 0 });
