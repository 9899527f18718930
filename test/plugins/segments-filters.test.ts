// Filters of segments mean the same as an SQL statement and as a check of one contact: random filters run over contacts with hostile
// attributes, and each difference that was ever found has its own test. POSTRIDER_TEST_SEED repeats a run.
// time-limit: 900
// full-run: slow
import * as assert from 'uvu/assert';
import { pseudonymOf, type TransactionContext } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { withSearchColumns } from '../../plugins/contacts/search-columns.ts';
import { addEvent, contactRows } from '../../plugins/contacts/store.ts';
import { compileFilter, contactAlias } from '../../plugins/segments/compile/index.ts';
import { readFacts } from '../../plugins/segments/facts.ts';
import { filterSchema, type SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { type ContactFacts, isTrueFor } from '../../plugins/segments/interpret.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';
import { longTests } from '../support/long-tests.ts';
import {
  broadcastIds,
  eventTypes,
  randomContact,
  randomFilter,
  randomMetadata,
  randomOf,
  templateKeys,
} from '../support/random-filters.ts';

const seed = Number(process.env.POSTRIDER_TEST_SEED ?? 20_261_129);
const count = longTests ? 10_000 : 500;
const people = 60;
const day = 86_400_000;

await eachDatabase('filters of segments', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  const names = { lists: [] as string[], topics: ['news', 'offers', 'gone'] };
  const ids: string[] = [];

  const work = async <T>(run: (ctx: TransactionContext) => Promise<T>): Promise<T> =>
    inWorkspace(kit.service.core, await readWorkspace(kit.service.core, kit.workspaceId), run);

  /** Inserts a contact directly into the database, because no call can write some of its attributes. Returns its id. */
  async function insertContact(
    ctx: TransactionContext,
    contact: ReturnType<typeof randomContact>,
    email: string | null,
    at: number,
  ) {
    const row = {
      id: ctx.newId('con'),
      external_id: contact.external_id,
      email,
      address_as_given: email,
      attributes: contact.attributes as never,
      attribute_times: null,
      email_pseudonym: null,
      created_at: at,
      updated_at: at + 5,
    };
    await contactRows.insert(ctx.trx, withSearchColumns(ctx.trx, row));
    return row.id;
  }

  async function insertSend({ trx, newId, now }: TransactionContext, email: string, random: () => number) {
    const pick = <V>(values: readonly V[]): V => values[Math.floor(random() * values.length)] as V;
    const id = newId('snd');
    const at = now - Math.floor(random() * 100 * day);
    await trx.db
      .insertInto('sends')
      .values({
        ...{
          id,
          message_id: newId('msg'),
          status: 'sent',
          template_id: newId('tpl'),
          template_key: pick(templateKeys),
        },
        ...{ template_version: 1, category: pick(['marketing', 'transactional'] as const), delivery: 'at-least-once' },
        ...{ to_address: email, to_normalised: email, from_email: 'a@example.com', from_name: '', subject: '' },
        ...{
          provider: 'x',
          api_key_id: null,
          scenario: null,
          bypass: 0,
          tags: '[]',
          metadata: null,
          stripped_headers: '[]',
        },
        ...{
          why_not_sent: null,
          opens: 0,
          clicks: 0,
          handed_over_at: at,
          created_at: at,
          scheduled_at: null,
          expires_at: null,
        },
        ...{ locale: null, test: 0, broadcast_id: random() < 0.3 ? null : pick(broadcastIds) },
      } as never)
      .execute();
    for (const was of ['sent', 'delivered', 'opened', 'clicked', 'bounced'])
      if (random() < 0.4) {
        const details = pick([
          {},
          { bot: { verdict: 'human', reason: 'x' } },
          { bot: { verdict: 'bot', reason: 'x' } },
        ]);
        await trx.db
          .insertInto('send_events')
          .values({
            id: newId('evt'),
            send_id: id,
            type: `send.${was}`,
            ts: at + 7,
            details: JSON.stringify(details),
          } as never)
          .execute();
      }
  }

  test.before(async () => {
    kit = await openTestService(database);
    for (const name of ['A', 'B'])
      names.lists.push((await kit.service.as(kit.workspaceId).lists.create({ name })).listId);
    for (const [key, standard] of [
      ['news', 'subscribed'],
      ['offers', 'unsubscribed'],
    ] as const)
      await kit.service.as(kit.workspaceId).topics.create({ key, name: key, default: standard });
    const random = randomOf(seed);
    await work(async (ctx) => {
      for (let index = 0; index < people; index += 1) {
        const email = random() < 0.2 ? null : `p${index}.${random() < 0.5 ? 'ä' : 'a'}@example.com`;
        const id = await insertContact(
          ctx,
          randomContact(random, index),
          email,
          ctx.now - Math.floor(random() * 400 * day),
        );
        ids.push(id);
        for (const listId of names.lists)
          if (random() < 0.4) await ctx.services.lists.addMembers(ctx, listId, [id], { source: 'api' });
        for (let events = Math.floor(random() * 4); events > 0; events -= 1) {
          const type = eventTypes[Math.floor(random() * 3)] ?? 'seen';
          const ts = ctx.now - Math.floor(random() * 200 * day);
          addEvent(ctx.trx, { id: ctx.newId('evt'), contact_id: id, type, ts, metadata: randomMetadata(random) });
        }
        if (email === null) continue;
        for (const key of ['news', 'offers'])
          if (random() < 0.5) {
            const topics = new Map([[key, random() < 0.5]]);
            await ctx.services.topics.set(ctx, { email, topics, source: random() < 0.5 ? 'page' : 'api' });
          }
        // The opt-outs of an erased person have the pseudonym of the address, and a new contact may have this pseudonym.
        if (random() < 0.2)
          await ctx.trx.db
            .updateTable('topic_preferences')
            .set({ email: pseudonymOf(kit.workspaceId, email) })
            .where('email', '=', email)
            .execute();
        if (random() < 0.3)
          await ctx.services.suppressions.add(ctx, {
            email,
            reason: 'manual',
            expiresAt: random() < 0.3 ? ctx.now - 1 : null,
          });
        for (let sends = Math.floor(random() * 3); sends > 0; sends -= 1) await insertSend(ctx, email, random);
      }
    });
  });
  test.after(() => kit.close());

  /** A filter that reads every fact, so that all facts are read once. */
  const everything = (): SegmentFilter => ({
    any: [
      ...names.lists.map((id): SegmentFilter => ({ path: `list.${id}`, op: 'exists', value: true })),
      ...names.topics.map((key): SegmentFilter => ({ path: `topic.${key}`, op: 'exists', value: true })),
      ...eventTypes.map((did): SegmentFilter => ({ did, where: {} })),
      ...(['sent', 'delivered', 'opened', 'clicked', 'bounced'] as const).map(
        (was): SegmentFilter => ({ send: {}, was }),
      ),
    ],
  });

  const idsOf = async ({ trx, now }: TransactionContext, filter: SegmentFilter): Promise<string[]> => {
    const rows = await trx.db
      .selectFrom(`contacts as ${contactAlias}` as 'contacts as person')
      .select('person.id')
      .where(compileFilter(trx, filter, new Map(), now))
      .execute();
    return rows.map(({ id }) => id).sort();
  };

  test(`${count} random filters find exactly the contacts for which they are true (seed ${seed})`, async () => {
    const random = randomOf(seed + 1);
    await work(async (ctx) => {
      const facts = new Map<string, ContactFacts>();
      for (const id of ids) {
        const contactFacts = await readFacts(ctx, id, everything(), new Map());
        if (contactFacts !== undefined) facts.set(id, contactFacts);
      }
      const faults: string[] = [];
      let selectiveFilters = 0;
      for (let index = 0; index < count && faults.length < 8; index += 1) {
        const filter = randomFilter(random, names);
        assert.ok(filterSchema.safeParse(filter).success, `${JSON.stringify(filter)} is not a filter`);
        const foundIds = await idsOf(ctx, filter);
        const expected = ids.filter((id) => isTrueFor(filter, new Map(), facts.get(id) as ContactFacts)).sort();
        const wrong = [
          ...foundIds.filter((id) => !expected.includes(id)),
          ...expected.filter((id) => !foundIds.includes(id)),
        ];
        if (foundIds.length > 0 && foundIds.length < people) selectiveFilters += 1;
        if (wrong.length > 0)
          faults.push(`${JSON.stringify(filter)} differs for ${JSON.stringify(facts.get(wrong[0] ?? '')?.attributes)}`);
      }
      assert.is(faults.join('\n'), '');
      // Enough filters select some contacts but not all, so that an error would be visible.
      assert.ok(selectiveFilters > count / 3, `${selectiveFilters} of ${count}`);
    });
  });
});
