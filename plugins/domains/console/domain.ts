// One sending domain in the console: whether its mail is trusted, the DNS records to set, and a check of DNS now.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  copyable,
  counted,
  dataTable,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  type PillTone,
  panel,
  pill,
} from '../../../core/unstable.ts';
import type { DomainResource } from '../schema.ts';
import { domainPill } from './list.ts';

type DomainRecord = DomainResource['records'][number];

const purposes: Readonly<Record<DomainRecord['purpose'], string>> = {
  dkim: 'Signature (DKIM)',
  spf: 'Senders (SPF)',
  dmarc: 'Policy (DMARC)',
  tracking: 'Host of tracked links',
};

const states: Readonly<Record<NonNullable<DomainRecord['state']>, readonly [words: string, tone: PillTone]>> = {
  found: ['Found', 'good'],
  missing: ['Missing', 'bad'],
  different: ['Different', 'bad'],
  unknown: ['DNS did not answer', 'wait'],
};

export const domainActions: Readonly<Record<string, ConsoleAction>> = {
  check: {
    done: 'The DNS records were looked up. The page shows the result.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.domains.verify({ domain: ctx.params['domain'] ?? '' }, { idempotencyKey });
    },
  },
};

/** The state of the domain in one sentence. */
function sentenceOf({ domain, status, faults, records }: DomainResource): Html {
  const missing = records.filter(({ state }) => state !== 'found' && state !== null).length;
  const such = `${counted(missing, 'record')} ${missing === 1 ? 'is' : 'are'} not right in DNS`;
  if (status === 'pending')
    return faults === null
      ? conclusion(
          'wait',
          `Mail from ${domain} is refused until its DKIM record is in DNS. Set the records, then check.`,
        )
      : conclusion('wait', `Mail from ${domain} is refused: its DKIM record was not found.`, `${such}.`);
  if (faults === null || missing === 0) return conclusion('good', `Mail from ${domain} is accepted and signed.`);
  return conclusion('bad', `Mail from ${domain} is accepted and signed, but ${such}.`);
}

function recordRow({ purpose, type, name, value, required, state, advice }: DomainRecord) {
  const shown = state === null ? pill('Not checked') : pill(...states[state]);
  return [
    html`<span class="name">${purposes[purpose]}</span><span class="below">${required ? 'Required' : 'Recommended'}</span>`,
    type,
    copyable(name),
    copyable(value),
    html`${shown}${advice === null ? null : html`<span class="below">${advice}</span>`}`,
  ];
}

/** One domain. */
export async function domainPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const domain = await ctx.calls.domains.read({ domain: ctx.params['domain'] ?? '' });
  const { records, alignment, selector, checkedAt, verifiedAt, createdAt, id } = domain;
  const table = dataTable('DNS records to set', ['Record', 'Type', 'Name', 'Value', 'State'], records.map(recordRow));
  const check = ctx.mayCall('domains.verify')
    ? actionForm(ctx, 'check', {
        isOpen: true,
        label: 'Check DNS',
        question: 'New records may take some minutes until every name server has them.',
        verb: 'Check now',
      })
    : null;
  const known = facts([
    ['DKIM selector', selector],
    ['Verified', verifiedAt === null ? 'Not yet' : moment(verifiedAt, ctx)],
    ['Checked', checkedAt === null ? 'Not yet' : moment(checkedAt, ctx)],
    ['Added', moment(createdAt, ctx)],
    ['Id', idOfRow(id)],
  ]);
  const hint = html`<p class="quiet">Some DNS services need the long DKIM value in parts of at most 255 characters, each in quotes. If the domain has an SPF record, add the missing parts to it: two SPF records make both invalid.</p>`;
  return {
    heading: domain.domain,
    status: domainPill(domain),
    body: html`${sentenceOf(domain)}${table}${hint}${detailLayout(
      [check, panel('Alignment', html`<p dir="auto">${alignment}</p>`)],
      panel('Domain', known),
    )}`,
  };
}
