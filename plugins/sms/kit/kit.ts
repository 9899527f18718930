// The reserved keys of transactional SMS, with the texts that come with the package. Data only. With values of usual length, every
// text fits into one segment. Every text names the sender, because carriers require it.

/** The purpose of a message. It determines consent, retries and quiet hours. */
export type SmsClass = 'authentication' | 'transactional' | 'reminder';

/** The template of a reserved key. */
export interface KitTemplate {
  readonly templateKey: string;
  readonly class: SmsClass;
  readonly name: string;
  readonly body: string;
  /** JSON Schema of the variables. `brand` is optional and defaults to the name of the workspace. */
  readonly variables: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
    readonly examples: readonly Readonly<Record<string, string>>[];
  };
}

const text = (description: string, maxLength = 100) => ({ type: 'string', minLength: 1, maxLength, description });
const url = (description: string) => ({ type: 'string', format: 'uri', maxLength: 500, description });

const brand = text('The sender. If it is left out, the name of the workspace.', 60);
const code = { type: 'string', pattern: '^[A-Za-z0-9-]{4,12}$', description: 'The code, 4 to 12 letters or digits.' };
const order = text('The number of the order.', 40);
const link = url('A link to the details.');
const amount = text('An amount as people read it, such as $12.50.', 30);
const when = text('A time as people read it, such as Tue 3 Mar, 10:30.', 60);

type Fields = KitTemplate['variables']['properties'];

function define(
  templateKey: string,
  kind: SmsClass,
  name: string,
  body: string,
  fields: Fields,
  example: Readonly<Record<string, string>>,
): KitTemplate {
  const optional = Object.entries(fields).flatMap(([field, { optional: isOptional }]) => (isOptional ? [field] : []));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([field, { optional: _, ...schema }]) => [field, schema]),
  );
  return {
    templateKey,
    class: kind,
    name,
    body,
    variables: {
      type: 'object',
      properties: { brand, ...properties },
      required: Object.keys(fields).filter((field) => !optional.includes(field)),
      additionalProperties: false,
      examples: [example],
    },
  };
}

const maybe = (schema: Readonly<Record<string, unknown>>) => ({ ...schema, optional: true });

/** All reserved keys, in the order in which they are shown. */
export const kit: readonly KitTemplate[] = [
  define(
    'auth_login_code',
    'authentication',
    'Login code',
    '{{ code }} is your {{ brand }} code. Do not share it with anyone.',
    { code },
    { brand: 'Acme', code: '482913' },
  ),
  define(
    'auth_magic_link',
    'authentication',
    'Sign-in link',
    'Sign in to {{ brand }}: {{ url }}\nThe link is for you alone. Did not ask for it? Ignore this message.',
    { url: url('The link, on a short-link domain of the workspace.') },
    { brand: 'Acme', url: 'https://go.example.com/s7Kp2' },
  ),
  define(
    'auth_password_reset',
    'authentication',
    'Password reset',
    '{{ code }} resets your {{ brand }} password. If you did not ask for it, ignore this message.',
    { code },
    { brand: 'Acme', code: '775204' },
  ),
  define(
    'auth_new_device',
    'authentication',
    'New device',
    '{{ brand }}: a new sign-in from {{ device }}. Was it not you? Change your password now.',
    { device: text('The device and its location.', 60) },
    { brand: 'Acme', device: 'Firefox on Linux, Berlin' },
  ),
  define(
    'order_confirmed',
    'transactional',
    'Order confirmed',
    '{{ brand }}: we have your order {{ order }}.{% if url %} Details: {{ url }}{% endif %}',
    { order, url: maybe(link) },
    { brand: 'Acme', order: 'A-1042', url: 'https://example.com/o/A-1042' },
  ),
  define(
    'order_shipped',
    'transactional',
    'Order shipped',
    '{{ brand }}: your order {{ order }} is on its way.{% if url %} Track it: {{ url }}{% endif %}',
    { order, url: maybe(link) },
    { brand: 'Acme', order: 'A-1042', url: 'https://example.com/t/A-1042' },
  ),
  define(
    'order_out_for_delivery',
    'transactional',
    'Out for delivery',
    '{{ brand }}: your order {{ order }} arrives today{% if window %}, {{ window }}{% endif %}.',
    { order, window: maybe(text('When it arrives, such as 14:00-16:00.', 40)) },
    { brand: 'Acme', order: 'A-1042', window: '14:00-16:00' },
  ),
  define(
    'order_delivered',
    'transactional',
    'Order delivered',
    '{{ brand }}: your order {{ order }} was delivered.',
    { order },
    { brand: 'Acme', order: 'A-1042' },
  ),
  define(
    'payment_received',
    'transactional',
    'Payment received',
    '{{ brand }}: thank you, we received your payment of {{ amount }}.',
    { amount },
    { brand: 'Acme', amount: '$12.50' },
  ),
  define(
    'payment_failed',
    'transactional',
    'Payment failed',
    '{{ brand }}: your payment of {{ amount }} failed.{% if url %} Try again: {{ url }}{% endif %}',
    { amount, url: maybe(link) },
    { brand: 'Acme', amount: '$12.50', url: 'https://example.com/pay' },
  ),
  define(
    'refund_issued',
    'transactional',
    'Refund issued',
    '{{ brand }}: we refunded {{ amount }}. It takes some days to reach your account.',
    { amount },
    { brand: 'Acme', amount: '$12.50' },
  ),
  define(
    'appointment_confirmed',
    'transactional',
    'Appointment confirmed',
    '{{ brand }}: your appointment on {{ when }} is confirmed.',
    { when },
    { brand: 'Acme', when: 'Tue 3 Mar, 10:30' },
  ),
  define(
    'appointment_reminder',
    'reminder',
    'Appointment reminder',
    '{{ brand }}: a reminder of your appointment on {{ when }}. Reply STOP to get no more reminders.',
    { when },
    { brand: 'Acme', when: 'Tue 3 Mar, 10:30' },
  ),
  define(
    'appointment_cancelled',
    'transactional',
    'Appointment cancelled',
    '{{ brand }}: your appointment on {{ when }} is cancelled.',
    { when },
    { brand: 'Acme', when: 'Tue 3 Mar, 10:30' },
  ),
  define(
    'account_alert',
    'transactional',
    'Account alert',
    '{{ brand }}: {{ message }}',
    { message: text('What happened.', 300) },
    { brand: 'Acme', message: 'your plan ends tomorrow.' },
  ),
  define(
    'support_reply',
    'transactional',
    'Reply from support',
    '{{ brand }} support: {{ message }}',
    { message: text('The answer.', 600) },
    { brand: 'Acme', message: 'your parcel was found. It leaves today.' },
  ),
];

const byKey: ReadonlyMap<string, KitTemplate> = new Map(kit.map((template) => [template.templateKey, template]));

/** The template of a reserved key. */
export const findKitTemplate = (templateKey: string): KitTemplate | undefined => byKey.get(templateKey);

export const kitKeys = kit.map(({ templateKey }) => templateKey);
