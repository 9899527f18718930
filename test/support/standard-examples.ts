// Records the examples of the standard plugins in a workspace with some data, at a fixed time. Called by
// reference-files.ts and by the tests that run the examples.
import { smtpConnector } from '../../adapters/mail/smtp-connector.ts';
import { allRules } from '../../adapters/social/capture-rules.ts';
import type { Fixture } from '../../core/index.ts';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';
import type { ExampleSource } from '../../hosts/testing/stage-example.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { connectorsPlugin, standardPlugins } from '../../plugins/index.ts';
import { receipt } from '../../plugins/templates/starters/receipt.ts';
import { testNetworks } from './social-networks.ts';

const people = [
  { uid: 'u_ada', name: 'Ada Lovelace', email: 'ada@northwind.example', role: 'owner' },
  { uid: 'u_grace', name: 'Grace Hopper', email: 'grace@northwind.example', role: 'editor' },
];

const welcome = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Welcome, {{name}}.</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

/** A service whose workspace has a published template, a delivered send and a suppressed address. */
async function openUsedService() {
  const test = await createTestService({
    plugins: standardPlugins.map((plugin) =>
      plugin.id === 'connectors'
        ? connectorsPlugin({ providers: [smtpConnector(), ...testNetworks(allRules)] })
        : plugin,
    ),
    startAt: Date.UTC(2026, 10, 20, 15, 4, 5),
    randomness: createSeededRandomness('examples'),
    members: { list: async () => people },
  });
  await test.service.workspaces.update(test.workspaceId, {
    name: 'Northwind Supply',
    defaultFrom: { email: 'hello@northwind.example', name: 'Northwind Supply' },
    sendingDomains: ['northwind.example', 'example.com'],
  });
  await test.service.connectors.create(test.workspaceId, {
    kind: 'mail',
    provider: 'smtp',
    name: 'Own mail server',
    credentials: { user: 'post', pass: 'an example' },
    options: { host: 'smtp.northwind.example' },
    uses: { categories: ['marketing'] },
  });
  for (const provider of ['x', 'bluesky'])
    await test.service.connectors.create(test.workspaceId, {
      kind: 'social',
      provider,
      name: 'Northwind',
      credentials: {},
      options: { displayName: 'Northwind Supply', handle: 'northwind' },
    });
  const { templates, email, suppressions } = test.service.as(test.workspaceId, { actor: 'billing-service' });
  await templates.create({ key: 'first-steps', name: 'First steps', subject: 'Welcome, {{name}}', body: welcome });
  await templates.publish({ key: 'first-steps' });
  await email.send({ template: 'first-steps', to: 'linus@example.com', variables: { name: 'Linus' } });
  await suppressions.create({ email: 'alan@example.com', reason: 'unsubscribe', note: 'Asked by phone.' });
  await test.drain();
  return test;
}

const [receiptVariables] = receipt.variables.examples;

const withBody =
  (more: Readonly<Record<string, unknown>>) =>
  ({ body, ...fixture }: Fixture): Fixture => ({ ...fixture, body: { ...(body as object), ...more } });

/** The source of plugins/reference/examples.gen.ts. */
export const standardExamples: ExampleSource = {
  open: openUsedService,
  idempotencyKey: 'order-1042',
  names: {
    template: ['order-confirmation', 'trial-ending', 'team-news'],
    create: ['order-confirmation'],
    to: ['ada', 'grace', 'linus'],
    suppressed: ['grace'],
    released: ['grace'],
    trial: ['trial', 'trial_ending', 'trial_ended'],
  },
  requests: {
    // Every workspace has this template, so that the example works when a reader pastes it.
    'email.send': ({ body, ...fixture }) => ({
      ...fixture,
      params: { key: receipt.key },
      body: { ...(body as object), variables: receiptVariables, metadata: { order: 'NW-1042' }, tags: ['orders'] },
    }),
    'suppressions.create': withBody({ note: 'Asked support to stop all mail.' }),
    'templates.create': withBody({ name: 'Order confirmation', subject: 'Your order, {{name}}' }),
  },
};
