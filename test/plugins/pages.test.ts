// time-limit: 240
// Pages: creation, slugs, lists, the working copy and its sections.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { Section } from '../../plugins/pages/index.ts';
import { pageRows } from '../../plugins/pages/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { withFilledPlaceholders, writePage } from '../support/fill-placeholders.ts';
import { brief, openPagesBench, type PagesBench, pageCalls } from '../support/pages-bench.ts';

await twoDatabases('pages', (test, database) => {
  let bench: PagesBench;
  test.before.each(async () => {
    bench = await openPagesBench(database);
  });
  test.after.each(() => bench.close());

  const { call, create, read, full, patch, publish, balance, faultOf, codeOf, built, ready } = pageCalls(() => bench);

  test('a page exists at once, is built from its brief, and costs 20 credits', async () => {
    const before = await balance();
    const { status, body: created } = await call('', 'POST', {
      ...{ brief, objective: 'Sign-ups', ctaLabel: 'Join', vibe: 'calm', length: 'Short' },
    });
    assert.is(status, 201);
    assert.equal(
      [
        created.status,
        created.composeStatus,
        created.draft,
        created.version,
        created.editor,
        created.length,
        created.slug,
        created.url,
      ],
      ['draft', 'queued', true, 0, 'current', 'Short', 'our-sourdough-course', null],
    );
    assert.equal(
      [
        created.objective,
        created.ctaLabel,
        created.vibe,
        created.creationId,
        created.sandbox,
        created.publishedAt,
        created.approval,
      ],
      ['Sign-ups', 'Join', 'calm', null, false, null, null],
    );
    assert.equal(created.progress, { phase: 'waiting', done: 0, total: 6 });
    assert.is(await balance(), before - 20, 'held');
    await bench.drain();
    const page = await read(created.id);
    assert.equal([page.composeStatus, page.title, page.error], ['ready', 'Our sourdough course', null]);
    assert.equal(page.progress, { phase: 'done', done: 6, total: 6 });
    assert.equal(
      page.sections.map(({ kind }: Section) => kind),
      ['hero', 'features', 'richtext', 'lead_form', 'footer'],
    );
    assert.is(await balance(), before - 20, 'settled');
    const [event] = await bench.events('page.ready');
    const listEntry = (await call('', 'GET')).body.data[0];
    assert.equal({ ...event, previewUrl: '' }, { ...listEntry, previewUrl: '' });
    assert.equal((await read('our-sourdough-course')).id, created.id, 'the slug finds the page');
    const audit = (await bench.request('/v1/audit?action=page.create')).body.data[0];
    assert.equal(audit.target, { kind: 'page', id: created.id });
  });

  test('the text of the length determines the number of sections', async () => {
    const counts = async (length: string | undefined) => {
      const { id, length: lengthOf } = await create(length === undefined ? {} : { length });
      await bench.drain();
      return [lengthOf, (await read(id)).sections.length];
    };
    assert.equal(await counts(undefined), [null, 8]);
    assert.equal(await counts('medium'), ['medium', 8]);
    assert.equal(await counts('Long-form'), ['Long-form', 12]);
    assert.equal(await counts('compact'), ['compact', 5]);
    assert.equal(await counts('as long as a cup of tea'), ['as long as a cup of tea', 8]);
  });

  test('the built page has the facts of the brief, links to its own form, and is the same for the same brief', async () => {
    const sections = await full(await built());
    const [hero, features, , signUp] = sections;
    assert.equal([hero?.heading, hero?.cta], ['Our sourdough course', { label: 'Sign up', href: `#${signUp?.id}` }]);
    assert.equal(withFilledPlaceholders(features?.items), [
      { title: 'Date', text: '3 March 2027' },
      { title: 'Place', text: 'Where it takes place' },
      { title: 'Price', text: '€120' },
    ]);
    assert.ok(
      !/warm and plain|convince|beginners|lorem|undefined/i.test(JSON.stringify(sections)),
      'remarks to the author are omitted',
    );
    assert.is(signUp?.form?.formId, 'sign-up');
    const plain = (list: readonly Section[]) => JSON.stringify(list).replace(/sec_\w{26}/g, 'sec');
    assert.is(plain(await full(await built())), plain(sections));
  });

  test('a page needs a brief or a headline', async () => {
    const refusalOf = async (body: object) => {
      const answer = await call('', 'POST', body);
      return [...codeOf(answer), faultOf(answer)];
    };
    for (const body of [{}, { brief: '' }, { brief: '  ' }, { headlineAngle: ' ' }])
      assert.equal(await refusalOf(body), [422, 'validation_failed', 'brief'], JSON.stringify(body));
    assert.equal(await refusalOf({ brief: 'blank' }), [422, 'validation_failed', 'brief']);
    assert.equal(await refusalOf({ headlineAngle: ' Blank ' }), [422, 'validation_failed', 'headlineAngle']);
    assert.equal(await refusalOf({ brief: 'x'.repeat(8_001) }), [422, 'validation_failed', 'brief']);
    const { title } = await create({ brief: undefined, headlineAngle: 'Bread that rises while you sleep.' });
    assert.is(title, 'Bread that rises while you sleep.');
  });

  test('a page belongs to a brand, which must exist', async () => {
    const foreignWorkspaceId = bench.foreignWorkspaceId;
    const created = bench.service.as(foreignWorkspaceId).pages.create({ brief });
    const error = await created.then(
      () => undefined,
      (refusal: unknown) => refusal as { code: string; status: number },
    );
    assert.equal([error?.code, error?.status], ['brand_required', 409]);
    const missing = await call('', 'POST', { brief, brandId: 'brd_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    assert.equal(codeOf(missing), [404, 'brand_not_found']);
    const { id } = await bench.service.as(bench.workspaceId).brand.create({ name: 'Second' });
    assert.is((await create({ brandId: id })).brandId, id);
  });

  test('slugs are made from the title, are unique, and never take a path of the service', async () => {
    assert.equal((await create({ headlineAngle: 'Größe & Übermut: ein Kurs' })).slug, 'grosse-ubermut-ein-kurs');
    assert.equal([(await create()).slug, (await create()).slug], ['our-sourdough-course', 'our-sourdough-course-2']);
    assert.is((await create({ headlineAngle: 'Blog' })).slug, 'blog-2');
    assert.is((await create({ headlineAngle: 'パン' })).slug, 'パン');
    for (const slug of ['blog', 'forms', 'preview', 'feed', 'Bread', '-bread', 'bread-', 'a_b', '', 'x'.repeat(81)])
      assert.equal(codeOf(await call('', 'POST', { brief, slug })), [422, 'validation_failed'], slug);
    assert.is((await create({ slug: 'bread' })).slug, 'bread');
    assert.equal(codeOf(await call('', 'POST', { brief, slug: 'bread' })), [409, 'slug_taken']);
    assert.is((await create({ slug: 'bread' }, bench.testKey)).slug, 'bread', 'the sandbox has its own slugs');
  });

  test('a page is not created without enough credits, and a dry run reports the price and creates nothing', async () => {
    const dry = await call('', 'POST', { brief }, bench.liveKey, { 'dry-run': 'true' });
    assert.equal([dry.status, dry.body.slug], [201, 'our-sourdough-course']);
    assert.match(JSON.stringify(dry.headers), /20/);
    assert.equal((await call('', 'GET')).body.data, []);
    await bench.drain();
    assert.equal(await bench.events('page.ready'), []);
    for (let credits = await balance(); credits >= 20; credits -= 20) await create();
    assert.equal(codeOf(await call('', 'POST', { brief })), [402, 'credits_exhausted']);
    const { id } = await create({}, bench.testKey);
    await bench.drain();
    assert.is((await read(id, bench.testKey)).composeStatus, 'ready', 'pages of the sandbox are free');
    const listEntry = (await call('', 'GET')).body.data[0];
    assert.equal(codeOf(await call(`/${listEntry.id}/compose`, 'POST', { brief })), [402, 'credits_exhausted']);
  });

  test('a workspace has at most 1,000 pages', async () => {
    const { id } = await create();
    const kit = createFixtureKit(bench);
    await kit.write(async ({ trx, newId }) => {
      const row = await pageRows.find(trx, id);
      if (row === undefined) throw new Error('The page is missing.');
      for (let count = 1; count < 1_000; count += 1)
        pageRows.deferInsert(trx, { ...row, id: newId('pg'), slug: `page-${count}`, build: null });
    });
    assert.equal(codeOf(await call('', 'POST', { brief })), [409, 'limit_reached']);
  });

  test('the list supports filters and pagination', async () => {
    const first = await ready({ slug: 'first' });
    await publish(first);
    await create({ slug: 'second' });
    const slugs = async (query: string) =>
      (await call(`?${query}`, 'GET')).body.data.map(({ slug }: { slug: string }) => slug);
    assert.equal(await slugs(''), ['second', 'first']);
    assert.equal(await slugs('status=published'), ['first']);
    assert.equal(await slugs('composeStatus=queued'), ['second']);
    const { next_cursor: cursor } = (await call('?limit=1', 'GET')).body;
    assert.equal(await slugs(`limit=1&cursor=${cursor}`), ['first']);
  });

  test('a page that is being built cannot be changed, composed or published', async () => {
    const { id } = await create();
    for (const answer of [
      await patch(id, { title: 'Other' }),
      await call(`/${id}/compose`, 'POST', { brief }),
      await publish(id),
      await call(`/${id}/unpublish`, 'POST'),
    ])
      assert.equal(codeOf(answer), [409, 'state_conflict']);
    await bench.drain();
    assert.equal(codeOf(await call(`/${id}/unpublish`, 'POST')), [409, 'state_conflict'], 'the page was never public');
    assert.equal(codeOf(await publish(id)), [409, 'placeholders_left']);
    await writePage(bench.service.as(bench.workspaceId), id);
    assert.is((await publish(id)).status, 200);
  });

  test('a page with a placeholder cannot be published, and the error names each placeholder with its place', async () => {
    const id = await built();
    const detail = (await call(`/${id}?sections=full`, 'GET')).body;
    assert.equal(detail.placeholders.slice(0, 2), [
      { path: 'sections.0.text', text: '[Who it is for and what they get]' },
      { path: 'sections.1.items.1.text', text: '[Where it takes place]' },
    ]);
    const { status, body } = await publish(id);
    assert.equal([status, body.error.type, body.error.code], [409, 'conflict_error', 'placeholders_left']);
    assert.match(body.error.message, 'still has 3 placeholders: [Who it is for and what they get], [Where it');
    assert.equal(
      body.error.details.map(({ path }: { path: string }) => path),
      ['sections.0.text', 'sections.1.items.1.text', 'sections.2.text'],
    );
    const typedBrackets = [{ kind: 'richtext', text: 'See [1], [the dates](#top) and [What it costs].' }];
    assert.is((await patch(id, { sections: typedBrackets })).status, 200);
    assert.is((await publish(id)).status, 200, 'brackets that people type are not placeholders');
    assert.equal((await call(`/${id}?sections=full`, 'GET')).body.placeholders, []);
  });

  test('sections can be kept by their id, replaced, added, removed and moved', async () => {
    const id = await ready();
    const [hero, features, steps, contact, footer] = await full(id);
    const { status, body } = await patch(id, {
      sections: [
        { id: features?.id },
        { id: hero?.id, kind: 'hero', heading: 'Bake at home' },
        { kind: 'richtext', text: 'Six *evenings*.' },
        { id: contact?.id },
      ],
    });
    assert.is(status, 200, JSON.stringify(body));
    assert.equal(
      body.sections.map(({ kind, heading }: Section) => [kind, heading ?? null]),
      [
        ['features', 'At a glance'],
        ['hero', 'Bake at home'],
        ['richtext', null],
        ['lead_form', 'Sign up'],
      ],
    );
    const after = await full(id);
    assert.equal([after[0], after[3]], [features, contact]);
    assert.equal(after[1], { id: hero?.id, kind: 'hero', heading: 'Bake at home' });
    assert.match(after[2]?.id ?? '', /^sec_/);
    for (const removal of [steps?.id, footer?.id]) {
      const answer = await patch(id, { sections: [{ id: removal }] });
      assert.equal([...codeOf(answer), faultOf(answer)], [422, 'validation_failed', 'sections.0.id']);
    }
    const duplicate = await patch(id, { sections: [{ id: contact?.id }, { id: contact?.id }] });
    assert.is(faultOf(duplicate), 'sections.1.id');
  });

  test('a link inside the page must lead to an existing section', async () => {
    const id = await ready();
    const [hero, features, , contact] = await full(id);
    const refusalOf = async (sections: readonly object[]) => {
      const answer = await patch(id, { sections });
      return [...codeOf(answer), faultOf(answer)];
    };
    const remaining = await patch(id, { sections: [{ id: features?.id }, { id: hero?.id }] });
    assert.equal([...codeOf(remaining), faultOf(remaining)], [422, 'validation_failed', 'sections.1.cta.href']);
    assert.match(
      JSON.stringify(remaining.body.error.details),
      /Change the link, or give the id of the removed section/,
    );
    const cta = { label: 'Join', href: '#sec_nothing' };
    assert.is((await refusalOf([{ kind: 'cta', heading: 'Now', cta }]))[2], 'sections.0.cta.href');
    const items = [{ title: 'Prices' }, { title: 'Dates', href: `#${features?.id}` }];
    assert.is((await refusalOf([{ kind: 'features', items }]))[2], 'sections.0.items.1.href');
    const form = { formId: 'join', fields: [{ name: 'email', type: 'email', label: 'Email' }] };
    const replacement = await patch(id, {
      sections: [
        { id: hero?.id },
        { id: contact?.id, kind: 'lead_form', form },
        { kind: 'cta', heading: 'Now', cta: { label: 'Join', href: '#form-join' } },
        { kind: 'footer', items: [{ title: 'Up', href: '#top' }] },
      ],
    });
    assert.is(replacement.status, 200, JSON.stringify(replacement.body));
  });

  test('a link in Markdown must lead to an existing section, too', async () => {
    const id = await ready();
    const [hero, features] = await full(id);
    const to = (part: string | undefined) => `See [the dates](#${part}).`;
    const form = { formId: 'join', fields: [{ name: 'email', type: 'email', label: 'Email' }], thanks: to('sec_gone') };
    const answer = await patch(id, {
      sections: [
        { kind: 'richtext', text: `${to('sec_gone')} And [again](#sec_gone "Dates"), [prices][p].\n\n[p]: #sec_lost` },
        {
          kind: 'faq',
          items: [
            { title: 'When?', text: to(features?.id) },
            { title: 'Where?', text: to('sec_gone') },
          ],
        },
        { kind: 'lead_form', heading: 'Join', form },
        { id: features?.id },
      ],
    });
    assert.equal(codeOf(answer), [422, 'validation_failed']);
    assert.equal(
      answer.body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['sections.0.text', 'unknown'],
        ['sections.0.text', 'unknown'],
        ['sections.1.items.1.text', 'unknown'],
        ['sections.2.form.thanks', 'unknown'],
      ],
    );
    assert.match(answer.body.error.details[1].message, 'The page has no section sec_lost.');
    const code = '`[code](#sec_gone)` \\[text\\](#sec_gone)\n\n```\n[block](#sec_gone)\n```';
    const validSection = { kind: 'richtext', text: `${to(features?.id)} [Below](#dates), or ${code}` };
    assert.is((await patch(id, { sections: [validSection, { id: features?.id }] })).status, 200);
    const remaining = await patch(id, { sections: [{ kind: 'richtext', text: to(hero?.id) }] });
    assert.is(faultOf(remaining), 'sections.0.text');
    // A code span that begins with three backticks does not start a block.
    const inline = await patch(id, {
      sections: [{ kind: 'richtext', text: `\`\`\`npm i\`\`\` ${to('sec_gone')}` }],
    });
    assert.is(faultOf(inline), 'sections.0.text');
  });

  test('each kind of section requires its own fields', async () => {
    const id = await ready();
    const fields = [{ name: 'email', type: 'email', label: 'Email' }];
    const form = { formId: 'news', fields };
    const list = await bench.service.as(bench.workspaceId).lists.create({ name: 'News' });
    const faultyFields: readonly (readonly [object, string])[] = [
      [{ kind: 'hero' }, 'heading'],
      [{ kind: 'hero', heading: ' ' }, 'heading'],
      [{ kind: 'banner' }, 'heading'],
      [{ kind: 'cta', heading: 'Now' }, 'cta'],
      [{ kind: 'features' }, 'items'],
      [{ kind: 'faq', items: [] }, 'items'],
      [{ kind: 'features', items: [{}] }, 'items.0'],
      [{ kind: 'stats', items: [{ title: 'Breads' }] }, 'items.0.value'],
      [{ kind: 'pricing', items: [{ title: 'Course', value: '€90' }] }, 'items.0.href'],
      [{ kind: 'logos', items: [{ title: 'Acme' }] }, 'items.0.imageAssetId'],
      [{ kind: 'gallery', items: [{ title: 'Bread' }] }, 'items.0.imageAssetId'],
      [{ kind: 'richtext' }, 'text'],
      [{ kind: 'features', items: [{ title: 'a' }], text: 'x'.repeat(2_001) }, 'text'],
      [{ kind: 'comparison', items: [{ title: 'a', values: ['b'] }] }, 'columns'],
      [{ kind: 'comparison', columns: ['us'], items: [{ title: 'a' }] }, 'items.0.values'],
      [{ kind: 'comparison', columns: ['us', 'them'], items: [{ title: 'a', values: ['b'] }] }, 'items.0.values'],
      [{ kind: 'video' }, 'url'],
      [{ kind: 'video', url: 'https://video.example/watch?v=dQw4w9WgXcQ' }, 'url'],
      [{ kind: 'countdown' }, 'until'],
      [{ kind: 'newsletter' }, 'form'],
      [{ kind: 'lead_form' }, 'form'],
      [{ kind: 'contact' }, 'form'],
      [{ kind: 'hero', heading: 'Now', form }, 'form'],
      [{ kind: 'hero', heading: 'Now', until: '2027-01-01T00:00:00Z' }, 'until'],
      [{ kind: 'contact', form: { formId: 'news', fields: [...fields, ...fields] } }, 'form.fields.1.name'],
      [
        {
          kind: 'newsletter',
          form: { formId: 'news', fields: [{ name: 'a', type: 'text', label: 'A' }], listId: list.listId },
        },
        'form.fields',
      ],
      [{ kind: 'cta', heading: 'Now', cta: { label: 'Go', href: 'javascript:alert(1)' } }, 'cta.href'],
      [{ kind: 'cta', heading: 'Now', cta: { label: 'Go', href: '//evil.example' } }, 'cta.href'],
      [{ kind: 'hero', heading: 'x'.repeat(201) }, 'heading'],
      [{ kind: 'slider' }, 'kind'],
      [{ heading: 'Now' }, 'kind'],
    ];
    for (const [section, path] of faultyFields) {
      const answer = await patch(id, { sections: [section] });
      assert.equal([answer.status, faultOf(answer)], [422, `sections.0.${path}`], JSON.stringify(section));
    }
    const items = [{ title: 'One', text: 'Two', value: '3', href: 'tel:+43 316 1' }];
    const validSections = [
      ...(['features', 'how_it_works', 'faq', 'team', 'testimonials', 'stats', 'pricing'] as const).map((kind) => ({
        ...{ kind, items },
      })),
      { kind: 'comparison', columns: ['us', 'them'], items: [{ title: 'a', values: ['b', 'c'] }] },
      { kind: 'video', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
      { kind: 'video', url: 'https://vimeo.com/76979871' },
      { kind: 'countdown', until: '2027-01-01T00:00:00Z' },
      { kind: 'newsletter', form: { ...form, listId: list.listId } },
      { kind: 'contact', form: { ...form, formId: 'contact' } },
      { kind: 'richtext', text: 'x'.repeat(20_000) },
      { kind: 'cta', heading: 'Now', cta: { label: 'Go', href: 'mailto:us@bakery.example' } },
      { kind: 'footer' },
    ];
    const { status, body } = await patch(id, { sections: validSections });
    assert.is(status, 200, JSON.stringify(body));
    const duplicates = await patch(id, { sections: [validSections[11], validSections[11]] });
    assert.is(faultOf(duplicates), 'sections.1.form.formId');
    const crowd = Array.from({ length: 41 }, () => ({ kind: 'footer' }));
    assert.is((await patch(id, { sections: crowd })).status, 422);
    assert.is((await patch(id, { sections: crowd.slice(1) })).status, 200);
    const heavy = Array.from({ length: 5 }, () => ({ kind: 'richtext', text: 'x'.repeat(20_000) }));
    assert.is(faultOf(await patch(id, { sections: heavy })), 'sections');
  });
});
