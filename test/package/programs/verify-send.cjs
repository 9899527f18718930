// What all programs do with what they loaded: compose, mount, publish, send over HTTP, and wait until it was delivered.
const { once } = require('node:events');
const { setTimeout: wait } = require('node:timers/promises');

/** Serves a service with Express; answers where, and how it ends. */
exports.throughExpress = (express, expressHost) => async (service) => {
  const app = express();
  app.use(express.json());
  app.use('/messaging', expressHost(service));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await service.stop();
  };
  return { origin: `http://127.0.0.1:${server.address().port}/messaging`, close };
};

/** The same with Fastify, which stops the service itself. */
exports.throughFastify = (fastify, fastifyHost) => async (service) => {
  const app = fastify();
  app.register(fastifyHost(service), { prefix: '/messaging' });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin: `${origin}/messaging`, close: () => app.close() };
};

exports.verifySend = async ({ serve, createService, isPostriderError, smtpMail, sqliteStorage, standardPlugins }) => {
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: 'app.sqlite' }),
    mail: smtpMail({ host: '127.0.0.1', port: Number(process.env.SMTP_PORT), tls: { rejectUnauthorized: false } }),
  });
  await service.migrate();
  await service.start();
  const { origin, close } = await serve(service);

  const workspace = await service.workspaces.create({
    name: 'Acme',
    defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
  });
  const { secret } = await service.keys.create({ workspaceId: workspace.id, name: 'backend', preset: 'full' });
  const refusal = await service
    .as(workspace.id)
    .templates.read({ key: 'nowhere' })
    .catch((error) => error);
  if (!isPostriderError(refusal, 'template_not_found')) throw refusal;

  const call = async (path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const body =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  await call('/v1/templates', { key: 'hello', subject: 'Hello {{name}}', body });
  await call('/v1/templates/hello/publish', {});
  const { id } = await call('/v1/templates/hello/send', { to: 'ada@example.com', variables: { name: 'Ada' } });
  let timeline = [];
  for (let tries = 0; tries < 200 && !timeline.includes('send.sent'); tries += 1) {
    await wait(50);
    timeline = (await call(`/v1/sends/${id}`)).events.map((event) => event.type);
  }
  await close();
  console.log(JSON.stringify({ timeline }));
};
