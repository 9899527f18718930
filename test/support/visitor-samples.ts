// A service with pages that visitors see. For the pictures of the documentation.
import { createTestService } from '../../hosts/testing/index.ts';
import { blogPlugin } from '../../plugins/blog/index.ts';
import { bareStandardPlugins } from './plugins.ts';

type Ids = (typeof bareStandardPlugins)[number]['id'];

/** Opens a service with a public page, post and list. */
export async function openVisitorSamples() {
  let listId: string | undefined;
  const blogWithForm = blogPlugin({ subscribeList: () => listId });
  const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'blog' ? blogWithForm : plugin));
  const bench = await createTestService<Ids>({ publicUrl: 'http://localhost:3999', plugins });
  const { blog, brand, lists, pages } = bench.service.as(bench.workspaceId);
  await brand.create({ name: 'Northwind Supply', palette: { primary: '#0f5c3f' } });
  const { id } = await pages.create({ brief: 'A page for maps of walking routes.', slug: 'routes', length: 'short' });
  await bench.drain();
  await pages.update({
    idOrSlug: id,
    title: 'Maps of our routes',
    sections: [
      {
        ...{ kind: 'hero', heading: 'Every route on one map' },
        text: 'The coast, the hills and the harbours, printed on paper that folds flat.',
      },
      {
        ...{ kind: 'features', heading: 'What you get' },
        items: [
          { title: 'All 42 routes', text: 'With heights and huts.' },
          { title: 'Waterproof', text: 'It survives a week of rain.' },
          { title: 'One sheet', text: 'It folds to the size of a letter.' },
        ],
      },
    ],
  });
  await pages.publish({ idOrSlug: id });
  bench.advanceClock(86_400_000);
  const first = await blog.create({
    title: 'Five huts for a rainy day',
    body: 'All of them have a stove.',
    tags: ['huts'],
  });
  await blog.publish({ idOrSlug: first.id });
  bench.advanceClock(86_400_000);
  const post = await blog.create({
    ...{ title: 'How we draw a map', slug: 'how-we-draw-a-map', tags: ['maps', 'huts'] },
    excerpt: 'From the first walk to the last fold.',
    body: 'Every map begins with boots. We walk each route **twice**, in both directions.',
  });
  await blog.publish({ idOrSlug: post.id });
  const list = { name: 'New routes', description: 'One mail a month, when a map is printed.' } as const;
  listId = (await lists.create({ ...list, optin: 'double', visibility: 'public' })).listId;
  const paths = { page: '/p/routes', post: '/blog/how-we-draw-a-map', subscribe: `/lists/${listId}` };
  return { bench, paths };
}
