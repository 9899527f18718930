/*
 * The mail that every send and render workload uses: a designed receipt of about 21 kB once rendered, with 12 plain
 * placeholders and a loop over 5 items (3 placeholders each), its subject and its variables' contract (JSON Schema). Contestants
 * publish exactly this. It must never be shortened for one of them.
 */

/** The key under which a contestant publishes the receipt. */
export const templateKey = 'bench-receipt';

/** The subject, with two placeholders. It is not HTML-escaped. */
export const subject = 'Your receipt {{order_number}} from {{shop_name}}';

/** The address that a contestant suppresses (reason `manual`) in each of its workspaces before it prints `ready`. */
export const suppressedAddress = 'suppressed@example.net';

/** The sender that a contestant sets as `default_from` of each of its workspaces. */
export const defaultFrom = { email: 'receipts@shop.example', name: 'Harbour Supplies' };

/** The contract of the variables: JSON Schema 2020-12, within the subset that templates may use. */
export const variablesSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'shop_name',
    'customer_name',
    'order_number',
    'order_date',
    'items',
    'subtotal',
    'shipping',
    'total',
    'card_last4',
    'address_line',
    'address_city',
    'order_url',
    'support_email',
  ],
  properties: {
    shop_name: { type: 'string', minLength: 1, maxLength: 80 },
    customer_name: { type: 'string', minLength: 1, maxLength: 120 },
    order_number: { type: 'string', minLength: 1, maxLength: 40 },
    order_date: { type: 'string', minLength: 1, maxLength: 40 },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'quantity', 'price'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 120 },
          quantity: { type: 'integer', minimum: 1, maximum: 999 },
          price: { type: 'string', minLength: 1, maxLength: 20 },
        },
      },
    },
    subtotal: { type: 'string', maxLength: 20 },
    shipping: { type: 'string', maxLength: 20 },
    total: { type: 'string', maxLength: 20 },
    card_last4: { type: 'string', minLength: 4, maxLength: 4 },
    address_line: { type: 'string', maxLength: 200 },
    address_city: { type: 'string', maxLength: 120 },
    order_url: { type: 'string', minLength: 8, maxLength: 500 },
    support_email: { type: 'string', minLength: 3, maxLength: 200 },
  },
} as const;

/** The variables that a caller passes for the contract above. */
export interface ReceiptVariables {
  shop_name: string;
  customer_name: string;
  order_number: string;
  order_date: string;
  items: { name: string; quantity: number; price: string }[];
  subtotal: string;
  shipping: string;
  total: string;
  card_last4: string;
  address_line: string;
  address_city: string;
  order_url: string;
  support_email: string;
}

/**
 * Valid variables. One value has an apostrophe and one an ampersand, so that escaping is exercised.
 * @param mark makes the customer and the order differ between calls
 */
export function receiptVariables(mark: string): ReceiptVariables {
  return {
    shop_name: 'Harbour Supplies',
    customer_name: `Maeve O'Brien ${mark}`,
    order_number: `HS-${mark}`,
    order_date: '20 November 2026',
    items: [
      { name: 'Waxed canvas apron, olive, medium', quantity: 1, price: '€64.00' },
      { name: 'Linen tea towels, set of three', quantity: 2, price: '€36.00' },
      { name: 'Salt & pepper mills, beech', quantity: 1, price: '€48.50' },
      { name: 'Carbon steel pan, 26 cm', quantity: 1, price: '€72.00' },
      { name: 'Enamel mug', quantity: 4, price: '€44.00' },
    ],
    subtotal: '€264.50',
    shipping: '€6.90',
    total: '€271.40',
    card_last4: '4242',
    address_line: '14 Quay Street, Flat 3',
    address_city: 'Galway H91 X4T2, Ireland',
    order_url: `https://shop.example/orders/HS-${mark}?from=receipt`,
    support_email: 'help@shop.example',
  };
}

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const tableStart =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt;">';

function textCell(style: string, content: string): string {
  return `<td style="${font};${style};mso-line-height-rule:exactly;">${content}</td>`;
}

function section(content: string, background = '#ffffff'): string {
  return `
      <tr>
        <td class="px" style="padding:24px 40px;background-color:${background};border-left:1px solid #e4e7ec;border-right:1px solid #e4e7ec;">
          ${tableStart}${content}
          </table>
        </td>
      </tr>`;
}

function amountRow(label: string, placeholder: string, weight = '400'): string {
  const style = `padding:6px 0;font-size:14px;line-height:20px;font-weight:${weight};color:#344054`;
  return `
            <tr>
              ${textCell(`${style};text-align:left`, label)}
              ${textCell(`${style};text-align:right;font-variant-numeric:tabular-nums`, placeholder)}
            </tr>`;
}

function suggestion(name: string, text: string): string {
  return `
            <tr>
              <td width="96" style="padding:12px 16px 12px 0;vertical-align:top;"><img src="https://cdn.shop.example/mail/2026/suggestions/${name.toLowerCase().replaceAll(' ', '-')}@2x.png" width="80" height="80" alt="" style="display:block;border:0;outline:none;text-decoration:none;border-radius:8px;background-color:#f2f4f7;"></td>
              ${textCell('padding:12px 0;font-size:14px;line-height:20px;color:#475467;vertical-align:top', `<strong style="color:#101828;font-weight:600;">${name}</strong><br>${text}<br><a href="https://shop.example/products/${name.toLowerCase().replaceAll(' ', '-')}?utm_source=receipt&amp;utm_medium=email" style="color:#175cd3;text-decoration:underline;">See it in the shop</a>`)}
            </tr>`;
}

function footerLink(label: string, path: string): string {
  return `<a href="https://shop.example/${path}?utm_source=receipt&amp;utm_medium=email&amp;utm_content=footer" style="color:#667085;text-decoration:underline;white-space:nowrap;">${label}</a>`;
}

const itemRow = `
            {% for item in items %}<tr>
              <td width="64" style="padding:14px 16px 14px 0;border-bottom:1px solid #eaecf0;vertical-align:top;"><img src="https://cdn.shop.example/mail/2026/parcel@2x.png" width="48" height="48" alt="" style="display:block;border:0;outline:none;text-decoration:none;border-radius:6px;background-color:#f2f4f7;"></td>
              ${textCell('padding:14px 0;border-bottom:1px solid #eaecf0;font-size:15px;line-height:22px;color:#101828;vertical-align:top', '<strong style="font-weight:600;">{{item.name}}</strong><br><span style="font-size:13px;line-height:18px;color:#667085;">In stock, leaves our workshop today</span>')}
              ${textCell('padding:14px 12px;border-bottom:1px solid #eaecf0;font-size:14px;line-height:22px;color:#475467;text-align:center;vertical-align:top;white-space:nowrap', '× {{item.quantity}}')}
              ${textCell('padding:14px 0;border-bottom:1px solid #eaecf0;font-size:15px;line-height:22px;color:#101828;text-align:right;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums', '{{item.price}}')}
            </tr>{% endfor %}`;

/** The receipt in Liquid, every output HTML-escaped (no `raw`): plain placeholders, dotted paths and one `for`. */
export const receiptHtml = `<!doctype html>
<html lang="en" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <meta name="x-apple-disable-message-reformatting">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>Your receipt</title>
  <!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><![endif]-->
  <style>
    html, body { margin: 0 !important; padding: 0 !important; width: 100% !important; height: 100% !important; }
    * { -ms-text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
    table, td { mso-table-lspace: 0pt !important; mso-table-rspace: 0pt !important; }
    img { -ms-interpolation-mode: bicubic; }
    a[x-apple-data-detectors] { color: inherit !important; text-decoration: none !important; }
    @media only screen and (max-width: 620px) {
      .shell { width: 100% !important; border-radius: 0 !important; }
      .px { padding-left: 20px !important; padding-right: 20px !important; }
      .stack { display: block !important; width: 100% !important; padding-right: 0 !important; }
      .headline { font-size: 24px !important; line-height: 32px !important; }
    }
    @media (prefers-color-scheme: dark) {
      body, .canvas { background-color: #0c111d !important; }
      .shell td { background-color: #161b26 !important; border-color: #333741 !important; color: #cecfd2 !important; }
      .headline, strong { color: #f5f5f6 !important; }
      a { color: #84caff !important; }
    }
  </style>
</head>
<body class="canvas" style="margin:0;padding:0;background-color:#f2f4f7;">
  <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">We are packing your order now. This is your receipt.${'&#8199;&#65279;&#847; '.repeat(8)}</div>
  ${tableStart}<tr><td align="center" style="padding:32px 12px;">
    <table role="presentation" class="shell" width="600" cellpadding="0" cellspacing="0" border="0" style="width:600px;max-width:600px;border-collapse:separate;background-color:#ffffff;border-radius:12px;">
      <tr>
        <td class="px" style="padding:32px 40px 8px;border:1px solid #e4e7ec;border-bottom:0;border-radius:12px 12px 0 0;"><img src="https://cdn.shop.example/mail/2026/wordmark@2x.png" width="148" height="32" alt="Harbour Supplies" style="display:block;border:0;outline:none;text-decoration:none;"></td>
      </tr>${section(`
            <tr>${textCell('font-size:28px;line-height:36px;font-weight:600;color:#101828;padding-bottom:12px', '<span class="headline">Thank you, {{customer_name}}</span>')}</tr>
            <tr>${textCell('font-size:16px;line-height:24px;color:#475467', 'We have received order <strong style="color:#101828;font-weight:600;">{{order_number}}</strong>, placed on {{order_date}}, and are packing it now. You will hear from us again as soon as the parcel is on its way. Nothing else is needed from you.')}</tr>
            <tr><td style="padding-top:24px;"><!--[if mso]><v:roundrect href="https://shop.example/orders" style="height:44px;v-text-anchor:middle;width:180px;" arcsize="18%" stroke="f" fillcolor="#175cd3"><w:anchorlock/><center style="color:#ffffff;font-family:Arial,sans-serif;font-size:16px;font-weight:600;">See your order</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="{{order_url}}" style="${font};display:inline-block;padding:12px 22px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;background-color:#175cd3;border-radius:8px;text-decoration:none;">See your order</a><!--<![endif]--></td></tr>`)}${section(`
            <tr><td colspan="4" style="${font};padding:0 0 8px;font-size:12px;line-height:16px;font-weight:600;letter-spacing:0.08em;text-transform:uppercase;color:#667085;border-bottom:1px solid #eaecf0;">What you ordered</td></tr>${itemRow}`)}${section(`${amountRow('Subtotal', '{{subtotal}}')}${amountRow('Delivery, tracked', '{{shipping}}')}${amountRow('Total', '{{total}}', '600')}`, '#f9fafb')}${section(`
            <tr>
              <td class="stack" width="50%" style="${font};padding:0 12px 16px 0;font-size:14px;line-height:22px;color:#475467;vertical-align:top;"><strong style="color:#101828;font-weight:600;">Delivery address</strong><br>{{address_line}}<br>{{address_city}}</td>
              <td class="stack" width="50%" style="${font};padding:0 0 16px;font-size:14px;line-height:22px;color:#475467;vertical-align:top;"><strong style="color:#101828;font-weight:600;">Paid with</strong><br>Card ending in {{card_last4}}<br>Charged when the parcel leaves us</td>
            </tr>`)}${section(`
            <tr><td colspan="2" style="${font};padding:0 0 8px;font-size:12px;line-height:16px;font-weight:600;letter-spacing:0.08em;text-transform:uppercase;color:#667085;">Often bought together</td></tr>${suggestion('Oak chopping board', 'End grain, oiled by hand, with feet that keep it off a wet worktop.')}${suggestion('Cotton shopping bag', 'Long handles and a flat base, woven from undyed organic cotton.')}${suggestion('Cast iron trivet', 'Three legs, felt underneath, and heavy enough to stay where it is put.')}`)}${section(`
            <tr>${textCell('font-size:14px;line-height:22px;color:#475467', 'Something not right? Answer this mail or write to <span style="color:#175cd3;">{{support_email}}</span> within 14 days and we will put it in order. Goods that you have not used can be sent back free of charge within 30 days: a label is printed in your account under “Returns”.')}</tr>`)}
      <tr>
        <td class="px" style="${font};padding:20px 40px 32px;font-size:12px;line-height:18px;color:#667085;border:1px solid #e4e7ec;border-radius:0 0 12px 12px;background-color:#f9fafb;">${footerLink('Returns', 'returns')} &nbsp;·&nbsp; ${footerLink('Delivery', 'delivery')} &nbsp;·&nbsp; ${footerLink('Repairs', 'repairs')} &nbsp;·&nbsp; ${footerLink('Privacy', 'privacy')} &nbsp;·&nbsp; ${footerLink('Terms', 'terms')}<br><br>{{shop_name}} Limited, Registered in Ireland no. 000000, VAT IE0000000X. You get this mail because you bought something from us; it is a receipt and carries no advertising consent. Please keep it for your records: it is a proof of purchase and of the warranty.</td>
      </tr>
    </table>
  </td></tr></table>
</body>
</html>
`;
