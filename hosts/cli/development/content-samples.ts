// Sample contents for development: pages, posts, a lead magnet, a picture with a design, a sending domain, and events of a product.
// Called by seed.ts for a workspace that it created itself.
import { isPostriderError, type Service, type Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';

type Composed = Service<
  'pages' | 'blog' | 'lead-magnets' | 'designs' | 'assets' | 'events' | 'domains' | 'creations' | 'content-plan'
>;
type Calls = ReturnType<Composed['as']>;

const needed = [
  'pages.create',
  'blog.create',
  'lead_magnets.create',
  'designs.create',
  'assets.create',
  'events.emit',
  'domains.list',
  'creations.spawn',
  'content_plan.plan_week',
];

/** A drawing of a coast, 240 × 150, PNG. */
const coast = [
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAACWCAMAAADXJvXnAAAAElBMVEUUUjoucFRglnqoyLDo7t7s1qA8r36iAAACVElEQVR42u3UQXKEMAxE0b',
  'Zx7n/l7LKgigFsfVmp6X8Apd8E0M+XJYMNNthggw022GCDDTbYYIMNNvivca7G3PVZuj1Zgx02S4+PbkPHztK7q9no+FV6j80yM6s05quGfTRr',
  'BUyZx3IcONw8ouLAgeQRGgcOMQ8iDrxoHlwceNY86EDwa/NICgQ/N4/kOPA9euyKA1+wx/40viyDDTbYYIMNNrgK+DhXY2TkLF2crMEGZunm6D',
  'Y0NUvHi4php1bpIK/j2PerRB5Pwb6cJfgHzdG+mCX4B83CPp4l/BnK0z6apYz3Jgv7ZJYy3ptM7d0sJX0rErGfVynpW5GK/bRKed/HVOzlLOV9',
  'IY9dceAL9lEiDlw7gw022GCDDTZ4L7ifqzGNmaV+WR1p5Cyh14OtEbOEXiewi6tE/6IEdmWV+IcIwU7PEv8QYdqpWUp5cSjsxCz1vofcQ+PAIe',
  'ZOxIEXzZ2LA8+aOx0Ifm3uSYHg5+aeHAe+R/ddceCL+71EHPi/ZLDBBhtssMEGbwS3v2oMauc48GZ2+xgH3oFuz+LAmej2KhCcYW4zgWCU3Bbi',
  'wJS5LceBw80tKg4cSG6hceAQcyPiwIvmxsWBZ82NDgS/NrekQPDz6y05Dnx/ve3qdpaC77cSfZil9mUZbLDBBhtssMFfD9Y5+i/VkdLsjB91yk',
  'rNynqS5rDAKuW9PXPY6FVJb84SNnRW3tdiTRs2K+tjoajIIfW0AbPwZ0hE6J5y2rVZ3HHRsf+DYtg5M3NdybGzalnTZtWR/odZzjnnnHPOOeec',
  'S+8XOFVfRPClVpUAAAAASUVORK5CYII=',
].join('');

async function createPages({ pages }: Calls, drain: () => Promise<unknown>): Promise<void> {
  const { id: idOrSlug } = await pages.create({ brief: 'A page that sells maps of walking routes.', slug: 'maps' });
  await drain();
  await pages.update({
    idOrSlug,
    title: 'Maps of our routes',
    sections: [
      {
        kind: 'hero',
        heading: 'Every route on one map',
        text: 'The coast, the hills and the harbours, printed on paper that folds flat.',
      },
      {
        kind: 'features',
        heading: 'What you get',
        items: [
          { title: 'All 42 routes', text: 'With heights and huts.' },
          { title: 'Waterproof', text: 'It survives a week of rain.' },
        ],
      },
    ],
  });
  await pages.publish({ idOrSlug });
  await pages.create({ brief: 'A page for a course in reading maps, six evenings in spring.', slug: 'course' });
}

async function createPosts({ blog, leadMagnets }: Calls): Promise<void> {
  const post = await blog.create({
    title: 'How we draw a map',
    excerpt: 'From the first walk to the last fold.',
    body: '## The walk\n\nEvery map begins with boots. We walk each route **twice**, in both directions.\n\n## The paper\n\nThen we argue about colours.',
    tags: ['maps'],
  });
  await blog.publish({ idOrSlug: post.id });
  await blog.create({ title: 'Five huts for a rainy day', body: 'The list is still short.', tags: ['huts'] });
  await leadMagnets.create({
    title: 'A checklist for your first long walk',
    brief: 'A short guide for people who have never walked for more than a day.',
    chapters: [
      { heading: 'Two weeks before', text: 'Walk your boots in. Tell somebody where you go.' },
      { heading: 'The evening before', text: 'Pack half of what you laid out, and twice the water.' },
    ],
  });
}

async function createPictures({ assets, designs }: Calls): Promise<void> {
  const { assetId } = await assets.create({
    name: 'Coast',
    dataBase64: coast,
    alt: 'A drawing of a coast',
    tags: ['maps'],
  });
  const { compositionId } = await designs.create({ name: 'Card of the coast' });
  await designs.update({
    compositionId,
    layers: [
      { kind: 'image', assetId, x: 0, y: 0, width: 1080, height: 1080 },
      { kind: 'text', text: 'The coast, on paper', x: 80, y: 800, width: 920, height: 160, size: 72 },
    ],
  });
}

/** The Monday of the next week, as its date in UTC. */
function mondayAfter(now: number): string {
  const weekday = (new Date(now).getUTCDay() + 6) % 7;
  return new Date(now + (7 - weekday) * 86_400_000).toISOString().slice(0, 10);
}

/** Creates one kind of sample. It is left out if the program has no adapter that it needs, such as a store of files or a keyring. */
async function unlessRefused({ core }: Service, kind: string, create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    core.log.info({ kind, reason: error.message }, 'a sample was left out');
  }
}

/** Creates the contents once. */
export async function seedContents(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!needed.every((id) => operations.has(id))) return;
  const composed = service as Composed;
  const calls = composed.as(workspace.id, { actor, sandbox: true });
  if ((await calls.blog.list({ limit: 1 })).data.length > 0) return;
  await createPages(calls, () => service.drain({ budgetMs: 5_000 }));
  await createPosts(calls);
  if (await composed.core.services.assets.hasStore(workspace.id))
    await unlessRefused(service, 'picture', () => createPictures(calls));
  await unlessRefused(service, 'creation', () =>
    calls.creations.spawn({ brief: 'Launch the map of the coast in spring.', name: 'Map of the coast' }),
  );
  await unlessRefused(service, 'week', () => calls.contentPlan.planWeek({ weekOf: mondayAfter(Date.now()) }));
  const domain = { domain: 'mail.northwind.example', dkim: { selector: 'post' } };
  await unlessRefused(service, 'domain', () => composed.domains.create(workspace.id, domain));
  for (const [type, total] of [
    ['order.placed', 42],
    ['order.placed', 18],
    ['account.opened', 0],
  ] as const)
    await calls.events.emit({ type, contact: { email: 'grace@example.com' }, metadata: { total } });
  await service.drain({ budgetMs: 5_000 });
}
