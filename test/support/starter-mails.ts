// The starters as mail: each case is sent with a live call from a fresh workspace and read from the captured mailbox.
// For the tests of the starters and for their screenshots in the documentation.
import { createTestService } from '../../hosts/testing/index.ts';
import { type StarterLanguages, standardPlugins, templatesPlugin } from '../../plugins/index.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';

/** Variables for a starter, and a name for the case. */
export interface StarterCase {
  readonly key: string;
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A delivered case. */
export interface StarterMail extends StarterCase {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The short and the full example of every starter. */
export const exampleCases: readonly StarterCase[] = starters().flatMap(({ key, variables }) => {
  const [short, full] = variables.examples;
  return [
    { key, name: 'short', variables: short },
    { key, name: 'full', variables: full },
  ];
});

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const longName = 'Maximiliane Wolfeschlegelsteinhausenbergerdorff-Hohenzollern';
const longUrl = `https://app.northwind.example/${'7Qm2xKf0Wc8v'.repeat(40)}`;
const longBrand = {
  product: word.slice(0, 80),
  product_url: 'https://northwind.example',
  support_email: 'a-very-long-mailbox-for-customer-support@customer-care.northwind-supply-company.example',
  postal_address: 'Northwind Supply and Trading Company AS, Building 7, Strandgaten 12, 5013 Bergen, Vestland, Norway',
};
const manyItems = Array.from({ length: 50 }, (_, index) => ({
  name: index % 10 === 3 ? `${word} ${index}` : `Enamel mug, forest green, number ${index + 1}`,
  quantity: index + 1,
}));

/** Difficult cases for a layout: long words, long lists, every state, and as few variables as possible. */
export const hardCases: readonly StarterCase[] = [
  {
    key: 'receipt',
    name: 'long',
    variables: {
      name: longName,
      order: 'INVOICE-2026-11-0000000000000000000000001041',
      total: '1,234,567,890.00 EUR',
      items: manyItems.map((item, index) => ({
        ...item,
        note: index % 2 === 0 ? 'Lambswool, 130 × 180 cm' : word,
        price: index % 5 === 0 ? '1,234,567,890.00 EUR' : '1,234.50 EUR',
      })),
      summary: [{ label: 'Including value added tax at the reduced rate of 12.5 %', amount: '12,345,678.90 EUR' }],
      billing_address: word,
      shipping_address: `${longName}\n${word}\nBergen`,
      ...longBrand,
    },
  },
  { key: 'receipt', name: 'link', variables: { name: 'Ada', order: '1', total: '1 EUR', url: 'https://a.example' } },
  { key: 'login-code', name: 'long', variables: { code: 'ABCD-EFGH-12', device: word, ...longBrand } },
  { key: 'login-code', name: 'eight', variables: { code: 'WXYZ1234', expires_in: '10 minutes' } },
  { key: 'magic-link', name: 'long', variables: { url: longUrl, device: word, ...longBrand } },
  {
    key: 'password-reset',
    name: 'long',
    variables: { url: longUrl, name: longName, account: `${'x'.repeat(60)}@example.com`, location: word, ...longBrand },
  },
  {
    key: 'shipping-notice',
    name: 'long',
    variables: {
      name: longName,
      order: word.slice(0, 60),
      eta: word.slice(0, 60),
      carrier: word.slice(0, 60),
      tracking_number: '1Z999AA10123456784'.repeat(3),
      packed_at: 'Tuesday, 24 November 2026, 10:12',
      shipped_at: 'Tuesday, 24 November 2026, 16:40',
      items: manyItems,
      ...longBrand,
    },
  },
  {
    key: 'shipping-notice',
    name: 'out',
    variables: { name: 'Ada', order: '1', status: 'out_for_delivery', eta: 'today', tracking_url: 'https://a.example' },
  },
  {
    key: 'shipping-notice',
    name: 'delivered',
    variables: { name: 'Ada', order: '1', status: 'delivered', eta: 'yesterday', delivered_at: '26 Nov, 15:10' },
  },
  {
    key: 'welcome',
    name: 'long',
    variables: {
      name: longName,
      url: longUrl,
      account: `${'x'.repeat(60)}@example.com`,
      steps: [{ title: word, text: word, url: longUrl }, { title: 'Short' }],
      sender_name: word,
      sender_role: word,
      ...longBrand,
    },
  },
  {
    key: 'invitation',
    name: 'long',
    variables: {
      url: longUrl,
      inviter: longName,
      inviter_email: `${'x'.repeat(60)}@example.com`,
      name: longName,
      team: word,
      role: word.slice(0, 60),
      message: `${word}\n`.repeat(5),
      expires_on: 'Wednesday, 30 November 2026 at 12:00',
      ...longBrand,
    },
  },
];

/** The languages in which a test sends starters. (Default: English alone) */
export interface SendingLanguages {
  readonly starters?: StarterLanguages;
  /** The language of the recipient. */
  readonly locale?: string;
}

const pluginsWith = (starters: StarterLanguages) =>
  standardPlugins.map((plugin) => (plugin.id === 'templates' ? templatesPlugin({ starters }) : plugin));

/** Sends the cases and returns their mails in the same order. */
export async function sendStarters(
  cases: readonly StarterCase[],
  { starters: languages = {}, locale }: SendingLanguages = {},
): Promise<StarterMail[]> {
  const bench = await createTestService({ plugins: pluginsWith(languages) });
  try {
    const { email } = bench.service.as(bench.workspaceId);
    const addressOf = (index: number) => `case-${index}@example.org`;
    for (const [index, { key, variables }] of cases.entries()) {
      const language = locale === undefined ? {} : { locale };
      await email.send({ template: key, to: addressOf(index), variables, ...language });
    }
    await bench.drain();
    return cases.map((each, index) => {
      const mail = bench.lastMailTo(addressOf(index));
      if (mail === undefined) throw new Error(`${each.key}, ${each.name}: no mail came.`);
      return { ...each, subject: mail.subject, html: mail.html, text: mail.text };
    });
  } finally {
    await bench.close();
  }
}
