// The template that the quickstart publishes: a receipt in MJML with Liquid, light and dark, from 320 px up.

const light = {
  page: '#eceee9',
  card: '#ffffff',
  ink: '#17251e',
  soft: '#52625a',
  line: '#dfe4de',
  brand: '#14523a',
};

const dark = `
  @media (prefers-color-scheme: dark) {
    .page, .page > div { background-color: #101512 !important; }
    .card, .card > table { background: #1a211d !important; background-color: #1a211d !important; }
    .ink div, .ink td { color: #eef3ef !important; }
    .soft div { color: #a9b8b0 !important; }
    .brand div { color: #8fd3b1 !important; }
    .line { border-color: #33403a !important; }
  }
  @media (max-width: 420px) {
    .card td.total { font-size: 18px !important; }
  }`;

const cell = `class="line" style="padding:12px 0;border-bottom:1px solid ${light.line}"`;

const body = `<mjml lang="en">
  <mj-head>
    <mj-title>Receipt {{order}}</mj-title>
    <mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
    <mj-attributes>
      <mj-all font-family="-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
      <mj-text padding="0" font-size="16px" line-height="25px" color="${light.ink}" css-class="ink" />
      <mj-section padding="0" />
    </mj-attributes>
    <mj-style>${dark}</mj-style>
  </mj-head>
  <mj-body width="560px" background-color="${light.page}" css-class="page">
    <mj-section padding="40px 28px 18px">
      <mj-column>
        <mj-text font-size="18px" font-weight="700" color="${light.brand}" css-class="brand">Northwind Supply</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="${light.card}" border-radius="16px 16px 0 0" padding="36px 28px 0" css-class="card">
      <mj-column>
        <mj-text font-size="14px" color="${light.soft}" css-class="soft">Receipt {{order}}{% if date != '' %} · {{date}}{% endif %}</mj-text>
        <mj-text font-size="28px" line-height="36px" font-weight="700" padding-top="8px">Thank you, {{name}}.</mj-text>
        <mj-text padding-top="8px" color="${light.soft}" css-class="soft">Your payment went through and your order is being packed. You get another mail when it leaves the house.</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="${light.card}" padding="24px 28px 0" css-class="card">
      <mj-column>
        <mj-table padding="0" font-size="16px" line-height="25px" color="${light.ink}" css-class="ink">
          {% for item in items %}<tr>
            <td ${cell}>{{item.name}}</td>
            <td align="right" ${cell}>{{item.price}}</td>
          </tr>{% endfor %}<tr>
            <td style="padding:18px 0 0;font-weight:700">Total paid</td>
            <td align="right" class="total" style="padding:18px 0 0;font-size:22px;font-weight:700">{{total}}</td>
          </tr>
        </mj-table>
      </mj-column>
    </mj-section>
    <mj-section background-color="${light.card}" border-radius="0 0 16px 16px" padding="28px 28px 40px" css-class="card">
      <mj-column>
        <mj-button href="{{url}}" align="left" padding="0" inner-padding="14px 24px" border-radius="10px" background-color="${light.brand}" color="#ffffff" font-size="16px" font-weight="600">View your order</mj-button>
      </mj-column>
    </mj-section>
    <mj-section padding="24px 28px 48px">
      <mj-column>
        <mj-text font-size="14px" line-height="22px" color="${light.soft}" css-class="soft">Questions? Reply to this mail and a person answers.<br />Northwind Supply, Strandgaten 12, Bergen</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

const line = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description });

/** What `templates.create` takes. The first example is short, for a command line; the second fills everything. */
export const receipt = {
  key: 'receipt',
  name: 'Receipt',
  subject: 'Your receipt {{order}}',
  previewText: '{{total}} paid. Thank you, {{name}}.',
  body,
  variables: {
    type: 'object',
    required: ['name', 'order', 'total'],
    properties: {
      name: line('Whom to thank.'),
      order: line('The order’s number.'),
      total: line('The amount with its currency.'),
      date: { type: 'string', maxLength: 50, default: '', description: 'The day of the payment.' },
      url: {
        type: 'string',
        format: 'uri',
        default: 'https://northwind.example/orders',
        description: 'The order’s page.',
      },
      items: {
        type: 'array',
        maxItems: 50,
        default: [],
        items: {
          type: 'object',
          required: ['name', 'price'],
          properties: { name: line('What was bought.'), price: line('Its price.') },
        },
      },
    },
    examples: [
      { name: 'Ada', order: 'NW-1042', total: '42.00 EUR' },
      {
        name: 'Grace',
        order: 'NW-1041',
        total: '96.50 EUR',
        date: '20 November 2026',
        items: [
          { name: 'Enamel mug, forest green', price: '18.00 EUR' },
          { name: 'Wool blanket', price: '72.50 EUR' },
          { name: 'Shipping', price: '6.00 EUR' },
        ],
      },
    ],
  },
};
