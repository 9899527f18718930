// The question that a test asks each document's program, and the expected answer. For docs.test.ts.
import { questionOfBounces } from './question-of-bounces.ts';
import { questionOfBroadcasts } from './question-of-broadcasts.ts';
import { questionsOfTeamPages } from './questions-of-team-pages.ts';

/** The pages of social networks, whose programs each connect an account. */
const networkPages = 'x linkedin bluesky reddit facebook instagram threads youtube pinterest tiktok'.split(' ');

/** The question at the end of each document's program. Every document with TypeScript has one. */
export const questions: Record<string, { ask: string; answer: unknown }> = {
  embedding: {
    ask: `{ planned: planned.length === applied.length && planned.length > 0, handle: (await handle(new Request('http://localhost/messaging/v1/workspace'))).status, name: workspace.name, app: typeof app, ...(process.kill(process.pid, 'SIGTERM'), await new Promise((resolve) => server.once('close', resolve)), {}), listening: server.listening }`,
    answer: { planned: true, handle: 401, name: 'Acme', app: 'function', listening: false },
  },
  oauth: {
    ask: `{ signedIn: { ...access({ method: 'GET', url: '/', headers: {}, cookies: { session: 's_1' }, address: undefined }), workspaces: undefined }, signedOut: access({ method: 'GET', url: '/', headers: {}, cookies: {}, address: undefined }), page: [oauth, ownServer].map(({ publicRoutes }) => publicRoutes.some(({ path }) => path === '/connected-apps')), same: workspaceIds[0] === workspace.id, challenge: (await service.dispatch({ method: 'POST', url: '/v1/mcp', headers: { 'content-type': 'application/json' }, body: '{}' })).headers['WWW-Authenticate']?.includes('resource_metadata="https://app.example.com/messaging/.well-known/') }`,
    answer: {
      signedIn: { member: 'u_ada', name: 'Ada', signOutUrl: '/sign-out' },
      signedOut: { signInUrl: '/sign-in' },
      page: [true, true],
      same: true,
      challenge: true,
    },
  },
  contacts: {
    ask: `{ email: ada.email, timeline: timeline.map((item) => item.kind), exported: Object.keys(everything).includes('contacts'), left: (await contacts.list()).data.length, grace: (await events.emit({ type: 'signed.in', contact: { external_id: 'user_7' } }), await service.drain(), (await contacts.list({ external_id: 'user_7' })).data[0]?.email) }`,
    answer: { email: 'ada@example.com', timeline: ['event'], exported: true, left: 0, grace: 'grace@example.com' },
  },
  assets: {
    ask: `{ ready: logo.status, url: logo.url?.startsWith('https://post.acme.example/assets/'), upload: upload?.headers, inUse, logo: acme.logos.light?.url.endsWith(logo.assetId), bucket: bucket.id }`,
    answer: {
      ready: 'ready',
      url: true,
      upload: { 'Content-Type': 'video/mp4' },
      inUse: 'asset_in_use',
      logo: true,
      bucket: 's3',
    },
  },
  links: {
    ask: `{ hosts: [link, own].map(({ redirectUrl }) => new URL(redirectUrl).host), cards: cards.length, verdict: (await list.check(['https://a.phish.example/', 'https://example.com/'], new AbortController().signal)).size }`,
    answer: { hosts: ['go.example.com', 'go.acme.example'], cards: 10, verdict: 1 },
  },
  sequences: {
    ask: `{ idle: idle.path.at(-1)?.rendered?.subject, active: [active.reason, active.path.length], onboarding: (await sequences.runs({ keyOrId: 'onboarding' })).data.map(({ status, currentNodes }) => [status, currentNodes]), forgotten: [forgotten.status, forgotten.endsAt, forgotten.path.at(-1)?.rendered?.subject], bought: [bought.status, bought.endsAt, bought.path.length], woken: fan_out.sequences_woken, runs: runs.map(({ status, exitReason }) => [status, exitReason]), mails: mail.messages().length, code: withWelcome.id, joined: joined.warnings, notJoined: notJoined.warnings[0] }`,
    answer: {
      idle: 'Your first project',
      active: ['created a project', 4],
      onboarding: [['active', ['pause']]],
      forgotten: ['completed', '2026-05-20T13:00:00.000Z', 'Your cart waits for you, Ada'],
      bought: ['exited', '2026-05-20T10:00:00.000Z', 2],
      woken: 1,
      runs: [['exited', 'bought']],
      mails: 1,
      code: 'sequences',
      joined: [],
      notJoined:
        'events.0, list_member.added: it starts no run, since the filter of the trigger is not true for it: there is no event.data.source, and the values of list_member.added are event.data.',
    },
  },
  blog: {
    ask: `{ url: post.url, version: post.version, status: post.status }`,
    answer: { url: 'https://blog.acme.example/blog/feed-your-starter', version: 1, status: 'published' },
  },
  'lead-magnets': {
    ask: `{ charged: file.creditsCharged, again: (await leadMagnets.export({ id })).creditsCharged, status: (await leadMagnets.read({ id })).status }`,
    answer: { charged: 5, again: 0, status: 'ready' },
  },
  'content-plan': {
    ask: `{ themes: proposed.gates[0]?.proposal?.map(({ id }) => id), status: done.status, made: done.results.map(({ kind }) => kind), planned: planned.data.map(({ kind, channels }) => [kind, channels]) }`,
    answer: {
      themes: ['t1', 't2'],
      status: 'completed',
      made: ['hold', 'hold'],
      planned: Array.from({ length: 2 }, () => ['hold', ['linkedin']]),
    },
  },
  creations: {
    ask: `{ proposed: [proposed.status, proposed.items?.map(({ kind }) => kind), proposed.credits.price], built: [built.status, built.itemCounts.built, built.credits.charged], summary: built.strategy?.summary, sent: [campaign.status, sent.counts.accepted, ...mail.messages().map(({ to }) => to.email)] }`,
    answer: {
      proposed: ['awaiting_approval', ['link', 'email_template', 'planned_email'], 6],
      built: ['ready', 3, 6],
      summary: 'Six evenings, and the flour is ours.',
      sent: ['live', 1, 'ada@example.com'],
    },
  },
  marketing: {
    ask: `{ versions: [version, changed.version], budget: changed.budget, primary: agencies.isPrimary, zone: (await marketing.defaultsRead()).timezone }`,
    answer: {
      versions: [1, 3],
      budget: { amount: 6000, currency: 'EUR', period: 'month' },
      primary: true,
      zone: 'Europe/Vienna',
    },
  },
  sms: {
    ask: `{ status: code.status, body: (await sms.preview({ templateKey: 'auth_login_code', variables: { code: '1234' } })).body, run: [run.alreadyEnrolled, run.currentNodes, (await sequences.runRead({ runId: run.runId })).status] }`,
    answer: { status: 'queued', body: '1234 opens Acme.', run: [null, ['wait'], 'cancelled'] },
  },
  'social-events': {
    ask: `{ run: [run.status, run.captions.map(({ channelId }) => channelId)], own: (await socialEvents.preview({ eventKey: 'back_in_stock', variables: { product: 'Oak' }, channels: ['x'] })).captions[0]?.text }`,
    answer: { run: ['drafted', ['x', 'bluesky']], own: 'Oak: we made more.\n\n#Back' },
  },
  social: {
    ask: `{ ready: post.status, problems: post.problems, price: post.credits.price, scheduled: scheduled.status, moved: [moved.status, moved.scheduledAt === later], networks: (await social.networks()).data.length }`,
    answer: { ready: 'ready', problems: [], price: 0, scheduled: 'scheduled', moved: ['scheduled', true], networks: 2 },
  },
  ...Object.fromEntries(
    networkPages.map((id) => [
      `social-${id}`,
      {
        ask: `{ network: network.transport, account: [account.provider, account.status] }`,
        answer: { network: 'native', account: [id, 'connected'] },
      },
    ]),
  ),
  pages: {
    ask: `{ preview: previewUrl?.startsWith('https://app.acme.example/postrider/p/ws_'), url: course.url?.split('/').at(-1), version: course.version, kinds: (await pages.read({ idOrSlug: 'our-sourdough-course' })).sections.map(({ kind }) => kind), draft: (await pages.list({ status: 'published' })).data.map(({ draft }) => draft), button: sections[0] !== undefined && 'cta' in sections[0] ? sections[0].cta?.label : undefined, form: [withForm.version, tellTeam.event, (await lists.list({})).data.length] }`,
    answer: {
      preview: true,
      url: 'our-sourdough-course',
      version: 1,
      kinds: ['hero', 'faq', 'stats', 'lead_form', 'footer', 'newsletter'],
      draft: [false],
      button: 'Join the course',
      form: [2, 'page.form_submitted', 2],
    },
  },
  qr: {
    ask: `{ payload: design.payload, wifi: guests.payload, png: [picture.contentType, picture.width, (await (await import('node:fs/promises')).readFile('table-4.png')).length === picture.bytes], designer: plugins.some(({ publicRoutes }) => publicRoutes.some(({ path }) => path === '/qr-designer')) }`,
    answer: {
      payload: 'https://app.example/l/menu?s=qr',
      wifi: 'WIFI:T:WPA;S:Acme\\; guests;P:tea\\:time;;',
      png: ['image/png', 1_024, true],
      designer: true,
    },
  },
  designs: {
    ask: `{ name: sale.name, size: [sale.width, sale.height], png: [picture.contentType, picture.width, (await (await import('node:fs/promises')).readFile('spring-sale.png')).length === picture.bytes], version: changed.version, last: changed.layers.at(-1)?.id }`,
    answer: {
      name: 'Our spring sale',
      size: [1_600, 900],
      png: ['image/png', 1_600, true],
      version: 2,
      last: 'code',
    },
  },
  brand: {
    ask: `{ name: acme.name, warned: changed.warnings.map(({ message }) => message), themed: ['#24476b', '4px', 'logo.png'].map((part) => html.includes(part)) }`,
    answer: {
      name: 'Acme',
      warned: ['Text #9a9a9a on #ffffff has a contrast of 2.81 to 1; WCAG AA asks for 4.5.'],
      themed: [true, true, true],
    },
  },
  composing: {
    ask: `{ status: data.status, painted: composed.body.includes('#7a1f5c'), composers: [throughAiSdk.id, throughAnthropic.id], service: typeof withModel.migrate }`,
    answer: { status: 'draft', painted: true, composers: ['ai-sdk', 'anthropic'], service: 'function' },
  },
  connectors: {
    ask: `{ own: [own.status, 'credentials' in own], listed: (await service.as(id).connectors.list()).data.map(({ name }) => name).sort(), catalog: (await service.as(id).connectors.catalog()).data.map(({ provider }) => provider), acme: acmeConnector.provider }`,
    answer: { own: ['connected', false], listed: ['Acme mail server', 'Newsletters'], catalog: ['smtp'], acme: 'acme' },
  },
  domains: {
    ask: `{ names: records.map(({ name }) => name), verify: typeof publishedAndVerified }`,
    answer: {
      names: [
        'post._domainkey.mail.acme.example',
        'mail.acme.example',
        '_dmarc.mail.acme.example',
        'track.mail.acme.example',
      ],
      verify: 'function',
    },
  },
  mcp: {
    ask: `{ agent: [agent.secret.startsWith('postrider_mcp_'), agent.scopes.includes('approvals:write')], fixed: (await service.as(workspace.id).approvals.policies()).data.filter(({ required }) => required).map(({ surfaceKind }) => surfaceKind).sort(), loosened: await service.as(workspace.id).approvals.policySet({ surfaceKind: 'social_post', required: false }).catch(({ code }) => code) }`,
    answer: { agent: [true, false], fixed: ['email_template', 'social_post'], loosened: 'policy_fixed' },
  },
  approvals: {
    ask: `{ version, carriedOut: (await bea.approvals.read({ requestId })).execution?.status, key: secret.startsWith('postrider_live_'), surface: sequenceContentKind.kind }`,
    answer: { version: 1, carriedOut: 'done', key: true, surface: 'sequence' },
  },
  segments: {
    ask: `{ count: buyers.contactCount, inSegment: why.inSegment, sentence: why.sentence.split(', ').slice(0, 2) }`,
    answer: { count: 1, inSegment: true, sentence: ["plan is 'pro' ✓", 'seats is 12 ✓ (at least 10)'] },
  },
  reputation: { ask: `{ state: now.state, hold: now.windows[3]?.hold }`, answer: { state: 'ok', hold: 0.04 } },
  broadcasts: questionOfBroadcasts,
  topics: {
    ask: `{ topic: letter.data.topicKey, wants: wants.preferences.map(({ topic, subscribed, source }) => [topic, subscribed, source]) }`,
    answer: {
      topic: 'product-news',
      wants: [
        ['product-news', true, null],
        ['offers', true, 'api'],
      ],
    },
  },
  lists: {
    ask: `{ added, waiting: waiting.map(({ email, source }) => [email, source]), url: new URL(news.subscribeUrl ?? '').host, count: (await lists.read({ listId: news.listId })).contactCount, moved: new URL((await lists.read({ listId: news.listId })).subscribeUrl ?? '').host, newsletter: (await service.drain(), (await broadcasts.read({ broadcastId })).counts.recipients) }`,
    answer: {
      added: 1,
      waiting: [['ada@example.com', 'api']],
      url: 'app.acme.example',
      count: 1,
      moved: 'news.example.com',
      newsletter: 1,
    },
  },
  configuration: {
    ask: `{ service: typeof service.start, plugins: configured.map(({ id }) => id).includes('contacts') }`,
    answer: { service: 'function', plugins: true },
  },
  transactions: {
    ask: `{ orders: database.prepare('select count(*) as n from orders').get(), sent: (await service.drain(), mail.messages().map(({ to }) => to.email).sort()), recipes: [placeOrder, placeOrderWithMysql, placeOrderWithDrizzle, placeOrderWithDrizzleMysql, placeOrderWithDrizzleSqlite, placeOrderWithKnex].every((recipe) => typeof recipe === 'function') }`,
    answer: { orders: { n: 2 }, sent: ['ada@example.com', 'ada@example.com', 'grace@example.com'], recipes: true },
  },
  databases: {
    ask: `{ dialects: Object.values(storages).map(({ dialect }) => dialect), shared: shared.map(({ id }) => id), service: typeof service.migrate }`,
    answer: {
      dialects: ['sqlite', 'postgres', 'mysql'],
      shared: ['postgres', 'mysql', 'sqlite', 'kysely'],
      service: 'function',
    },
  },
  idempotency: { ask: '{ same: first.id === again.id }', answer: { same: true } },
  tracking: {
    ask: `{ opens, clicks, types: events.map(({ type }) => type), plugins: plugins.length === standardPlugins.length, german: inGerman.id, page: (await service.fetch(new Request('http://localhost/u/none'))).status }`,
    answer: { opens: 0, clicks: 0, types: ['send.queued', 'send.sent'], plugins: true, german: 'email', page: 404 },
  },
  providers: {
    ask: `{ own: acmeReports('secret').id, none: (await service.fetch(new Request('http://localhost/inbound/mail/ses', { method: 'POST', body: '{}' }))).status }`,
    answer: { own: 'acme', none: 404 },
  },
  bounces: questionOfBounces,
  ...questionsOfTeamPages,
  lambda: {
    ask: `await handler({ version: '2.0', rawPath: '/v1/workspace', rawQueryString: '', headers: {}, isBase64Encoded: false, requestContext: { stage: '$default', domainName: 'a.lambda-url.eu-west-1.on.aws', http: { method: 'GET', sourceIp: '203.0.113.9' } } }, { getRemainingTimeInMillis: () => 30_000 }).then((result) => (result as { statusCode: number }).statusCode)`,
    answer: 401,
  },
  hosts: {
    ask: `{
  fastify: (await app.inject('/messaging/v1/workspace')).statusCode,
  others: await Promise.all([shop.listen(0), server.listen(0), listening].map(async (own) => {
    if (!own.listening) await new Promise<void>((resolve) => own.once('listening', () => resolve()));
    const { port } = own.address() as { port: number };
    const { status } = await fetch(\`http://127.0.0.1:\${port}/messaging/v1/workspace\`);
    own.close();
    return status;
  })),
}`,
    answer: { fastify: 401, others: [401, 401, 401] },
  },
  jobs: {
    ask: `{ early, sent: mail.messages().map(({ to }) => to.email), actors: entries.map(({ actor }) => [actor.kind, actor.client]), again: await calls.followUps.cancel({ id: 'ada' }).catch((error) => error.message) }`,
    answer: {
      early: 0,
      sent: ['ada@example.com'],
      actors: [['system', 'follow-ups']],
      again: 'It already is sent, and can no longer become canceled.',
    },
  },
  'plans-and-limits': {
    ask: `{ outcomes: outcomes.map((outcome) => outcome.slice(0, 40)), balance: usage.credits_balance, sent: usage.sends_this_month }`,
    answer: {
      outcomes: ['sent', 'sent', 'sent', 'The budget of the plan team, 3 sends a m'],
      balance: 1_250,
      sent: 3,
    },
  },
  retention: {
    ask: `{ audit: service.core.retention.get('audit'), sends: String(service.core.retention.get('sends')), visits: Object.keys(visits.retention) }`,
    answer: { audit: 365 * 86_400_000, sends: 'Infinity', visits: ['visits'] },
  },
  'keys-and-scopes': {
    ask: `{ backend: /^postrider_live_\\w{49}$/.test(backend.secret), send: backend.scopes.includes('templates:send'), revoked: (await service.as(workspace.id).keys.read({ id: monitoring.id })).revoked_at !== null, leash: (await service.as(workspace.id).keys.read({ id: assistant.id })).leash }`,
    answer: {
      ...{ backend: true, send: true, revoked: true },
      leash: { sendsPerHour: 5, holdAbove: { recipients: 2 } },
    },
  },
  'moving-over': {
    ask: `{ status: send.status, reasons: (await suppressions.list()).data.map(({ reason }) => reason).sort(), providers: Object.keys(providers) }`,
    answer: {
      status: 'sent',
      reasons: ['complaint', 'hard_bounce', 'unsubscribe'],
      providers: ['resend', 'sendgrid', 'postmark'],
    },
  },
  'public-routes': {
    ask: `{
  statuses: await Promise.all(['api.acme.example/welcome/Ada', 'go.acme.example/spring', 'api.acme.example/spring', 'news.ada.example/about', 'other.example/about'].map(async (url) => (await service.fetch(new Request('https://' + url))).status)),
  csv: await (await service.fetch(new Request('https://other.example/numbers.csv'))).text(),
  manual: (await service.fetch(new Request('https://api.acme.example/manual', { headers: { range: 'bytes=0-0' } }))).status,
  unlocked: await [1, 2, 3, 4].reduce(async (before, _) => [...(await before), (await service.fetch(new Request('https://api.acme.example/unlock/spring', { method: 'POST', body: new URLSearchParams({ password: 'simsim' }) }), { address: '192.0.2.1' })).status], Promise.resolve<number[]>([])),
  invites: await Promise.all([inviteLink(service.core.ports, 'inv_1'), inviteLink(service.core.ports, 'inv_1').replace('inv_1', 'inv_2')].map(async (url) => (await service.fetch(new Request(url))).status)),
  report: await (await service.fetch(new Request('https://api.acme.example/hooks/provider', { method: 'POST', body: '{ "type": "sent" }', headers: { 'content-type': 'application/json', 'x-signature': createHmac('sha256', secret).update('{ "type": "sent" }').digest('hex') } }))).text(),
}`,
    answer: {
      statuses: [200, 302, 404, 200, 404],
      csv: 'number\n1\n2\n3\n',
      manual: 206,
      unlocked: [403, 403, 403, 429],
      invites: [200, 404],
      report: 'heard of sent',
    },
  },
  representations: {
    ask: `{ picture: [picture.contentType, picture.filename, Buffer.from(picture.bytes).toString()], waits: 'approval' in held, renamed, late: await calls.update({ id: 'ada', name: 'x', expectedVersion: 3 }).catch((error) => error.code) }`,
    answer: {
      picture: ['image/svg+xml', 'badge.svg', '<svg><text>Ada</text></svg>'],
      waits: true,
      renamed: { name: 'Ada L.', version: 4 },
      late: 'version_conflict',
    },
  },
  sandbox: {
    ask: `{ key: [key.sandbox, key.secret.startsWith('postrider_test_')], status: bounced.status, kept: mail.lastTo('ada@example.com')?.subject, suppressed: liveList.data.length, unseen, refused }`,
    answer: {
      key: [true, true],
      status: 'bounced',
      kept: 'Hello',
      suppressed: 0,
      unseen: 'send_not_found',
      refused: 'live_key_required',
    },
  },
  observability: { ask: `{ metrics: answer.status, health: health.status }`, answer: { metrics: 200, health: 200 } },
  queues: { ask: `{ sent, hasMore, answer }`, answer: { sent: 0, hasMore: false, answer: { batchItemFailures: [] } } },
  scaling: {
    ask: `{ redis: [stores.redis.id, stores.shared.id], limits: service.core.limits.id, connected: client.status }`,
    answer: { redis: ['redis', 'redis'], limits: 'sql', connected: 'wait' },
  },
  extending: {
    ask: `await (async () => {
  await service.migrate();
  await service.start();
  service.core.services.faxCounter.add(3);
  await service.stop();
  return { written: service.core.services.faxCounter.written, fax: service.core.ports.fax.idOf('ws_1') };
})()`,
    answer: { written: 3, fax: 'console' },
  },
  starters: {
    ask: `{ subject: mail.lastTo('ada@example.com')?.subject, published: [published.version, published.body.includes('#1c5a44')], german: german.subject, composed: [plugins.length, swissPlugins.length].every((count) => count === standardPlugins.length), trial: [trial.subject, /<html[^>]*lang="ar" dir="rtl"/.test(trial.html ?? ''), trial.html?.includes('<strong>30 نوفمبر</strong>')] }`,
    answer: {
      subject: '482913 is your Acme code',
      published: [2, false],
      german: '•••• ist Ihr Code für Acme',
      composed: true,
      trial: ['تنتهي فترتك التجريبية في 30 نوفمبر', true, true],
    },
  },
  'sending-email': {
    ask: `{ preview: preview.subject, accepted: send.status, timeline: now.events.map(({ type }) => type), listed: toAda.length, simulated: (await sandbox.sends.read({ id: simulated.id })).status, canceled: [canceled.status, canceled.whyNotSent], batch: batch.data.map((item) => 'status' in item ? item.status : item.error.code), stopped: [stopped.status, stopped.whyNotSent?.replace(/since .*/, 'since …')], deleted, exported: 'email' in everything, erased: erased.to.startsWith('erased:'), secret: webhook.secret.startsWith('whsec_') }`,
    answer: {
      preview: 'Your order A-1042 is on its way',
      accepted: 'sent',
      timeline: ['send.queued', 'send.sent'],
      listed: 1,
      simulated: 'bounced',
      canceled: ['canceled', 'Canceled by the program before it was sent.'],
      batch: ['sent', 'validation_failed'],
      stopped: ['suppressed', 'The recipient is suppressed: manual, since …'],
      deleted: true,
      exported: true,
      erased: true,
      secret: true,
    },
  },
  subscribers: {
    ask: `{ sent: (await service.drain(), mail.lastTo('ada@example.com') === undefined), onboarded, bounced: (await service.as(id, { sandbox: true }).email.send({ template: 'welcome', to: 'eve@example.com', variables: { name: 'Eve', url: 'https://acme.example' }, simulationScenario: 'hard_bounced' }), await service.drain(), [...bounces.values()]), published }`,
    answer: {
      sent: false,
      onboarded: ['ada@example.com'],
      bounced: [{ address: 'eve@example.com', hard: true }],
      published: true,
    },
  },
  templates: {
    ask: `{ shown: preview.subject, locale: sent.locale, mail: mail.messages()[0]?.text, back: [back.version, back.subject], test: [test.sandbox, test.status] }`,
    answer: {
      shown: 'Ihre Bestellung A-1042 ist bereit',
      locale: 'de',
      mail: 'Hallo Ada, sie kann abgeholt werden.\n\nAcme, Vienna',
      back: [3, 'Your order {{ order.id }} is ready'],
      test: [true, 'sent'],
    },
  },
  testing: { ask: 'typeof sendSignInCode', answer: 'function' },
  troubleshooting: { ask: 'seen', answer: ['variables_invalid'] },
  webhooks: {
    ask: `{ secret: /^whsec_.{40}$/.test(webhook.secret), rotated: rotated.secret !== webhook.secret, delivery: [delivery?.event_type, delivery?.attempts.length], intranet: typeof intranet.migrate }`,
    answer: { secret: true, rotated: true, delivery: ['order_paid', 1], intranet: 'function' },
  },
};
