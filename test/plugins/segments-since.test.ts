// `{ did, since: <duration> }` means the same in a segment, in an explanation, in a step of a sequence and in a simulation, in every zone
// of the contact.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench } from '../support/sequence-bench.ts';

/** Each event that counts would be too old if the period were counted in the zone of the contact: there, a month or day is shorter. */
const cases = [
  { zone: 'Asia/Tokyo', since: 'P1M', did: '2027-01-31T20:00:00Z', queryTime: '2027-02-28T21:00:00Z', counts: true },
  { zone: 'Europe/Vienna', since: 'P1D', did: '2027-03-27T12:00:00Z', queryTime: '2027-03-28T11:30:00Z', counts: true },
  {
    zone: 'Europe/Vienna',
    since: 'P1D',
    did: '2027-03-27T12:00:00Z',
    queryTime: '2027-03-28T12:00:01Z',
    counts: false,
  },
  {
    zone: 'America/New_York',
    since: 'P1M',
    did: '2027-03-31T01:00:00Z',
    queryTime: '2027-04-30T02:00:00Z',
    counts: true,
  },
];

await twoDatabases('the period that a filter looks back', (test, database) => {
  for (const { zone, since, did, queryTime, counts } of cases)
    test(`${since} before ${queryTime} ${counts ? 'includes' : 'does not include'} ${did}, also for a contact in ${zone}`, async () => {
      const bench = await openSequenceBench(database);
      try {
        const { contacts, events, segments, sequences } = bench.calls;
        const until = (time: string) => bench.advanceClock(Date.parse(time) - bench.now());
        const filter = { did: 'order.placed', since };
        const contact = { email: 'ada@example.org' };
        const { id } = await contacts.upsert({ ...contact, attributes: { timezone: zone } });
        const { segmentId } = await segments.create({ name: 'Buyers', filter });
        const keyOrId = await bench.published({
          name: 'Buyers',
          nodes: [
            { id: 'which', kind: 'branch', conditions: [{ filter }] },
            { id: 'bought', kind: 'exit', reason: 'bought' },
          ],
          edges: [{ from: 'which', when: 'branch:0', to: 'bought' }],
        });
        until(did);
        await events.emit({ type: 'order.placed', contact });
        until(queryTime);
        const simulation = await sequences.simulate({ keyOrId, contact });
        const { runId } = await sequences.enroll({ keyOrId, contact });
        await bench.drain();
        assert.equal(
          {
            count: (await segments.preview({ filter })).contactCount,
            explained: (await segments.explain({ segmentId, contactId: id })).inSegment,
            ran: (await sequences.runRead({ runId })).exitReason,
            simulated: simulation.reason,
          },
          {
            count: counts ? 1 : 0,
            explained: counts,
            ran: counts ? 'bought' : null,
            simulated: counts ? 'bought' : null,
          },
        );
      } finally {
        await bench.close();
      }
    });
});
