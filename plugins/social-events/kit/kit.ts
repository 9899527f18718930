// The events that become posts, with the contract of their variables and the wording of the package. Data only.
// A wording has two captions: a short one, which leaves room for a hashtag and a link on the most limited networks, and a full one.
import { contractOf, maybe, points, text, type VariablesContract } from './fields.ts';

/** The wording of an event. */
export interface Wording {
  /** For networks that accept fewer than 1,000 characters. */
  readonly short: string;
  readonly full: string;
  /** The most important hashtag first, because networks get different numbers of hashtags. */
  readonly hashtags: readonly string[];
}

/** An event of the kit. */
export interface KitEvent {
  readonly eventKey: string;
  readonly name: string;
  readonly description: string;
  readonly variables: VariablesContract;
  readonly wording: Wording;
}

/** The default channels of an event: networks on which a text alone is a post. */
export const kitChannels: readonly string[] = ['x', 'linkedin', 'facebook', 'threads', 'bluesky'];

const listed = '{% for point in highlights %}\n• {{ point }}{% endfor %}';

const define = (
  eventKey: string,
  [name, description]: readonly [string, string],
  wording: Wording,
  variables: VariablesContract,
): KitEvent => ({ eventKey, name, description, wording, variables });

/** All events, in the order in which they are listed. */
export const kit: readonly KitEvent[] = [
  define(
    'product_launched',
    ['Product launched', 'Something new can be bought or used.'],
    {
      short: '{{ product }} is here. {{ summary | truncate: 150, "…" }}',
      full: `Today we are launching {{ product }}.\n\n{{ summary }}\n${listed}{% if price %}\n\n{{ product }} starts at {{ price }}.{% endif %}`,
      hashtags: ['ProductLaunch', 'NewProduct', 'Launch'],
    },
    contractOf(
      {
        product: text('The name of the product.'),
        summary: text('What it is good for, in one or two sentences.', 400),
        highlights: points('The highlights, one line each.'),
        price: maybe(text('The lowest price, as people read it.', 40)),
      },
      {
        product: 'Acme Desk',
        summary: 'A standing desk that remembers how each of you likes to work.',
        highlights: ['Four heights, one touch', 'Made of local oak'],
        price: '€490',
      },
    ),
  ),
  define(
    'release_published',
    ['Release published', 'A new version of the product is out.'],
    {
      short: '{{ product }} {{ version }} is out. {{ summary | truncate: 130, "…" }}',
      full: `{{ product }} {{ version }} is out.\n\n{{ summary }}\n${listed}\n\nThank you to everyone who told us what was missing.`,
      hashtags: ['ProductUpdate', 'Release', 'Changelog'],
    },
    contractOf(
      {
        product: text('The name of the product.'),
        version: text('The version or the name of the release.', 30),
        summary: text('What is new, in one or two sentences.', 400),
        highlights: points('The most important changes, a line each.'),
      },
      {
        product: 'Acme Studio',
        version: '4.2',
        summary: 'Boards now load in under a second, and you can work on them offline.',
        highlights: ['Offline boards', 'Faster search', 'Dark mode on tablets'],
      },
    ),
  ),
  define(
    'milestone_reached',
    ['Milestone reached', 'A number worth celebrating.'],
    {
      short:
        'We have reached {{ milestone }}. {% if message %}{{ message | truncate: 110, "…" }}{% else %}Thank you for being part of it.{% endif %}',
      full: 'We have reached {{ milestone }}.{% if message %}\n\n{{ message }}{% endif %}\n\nThank you to everyone who made this possible.',
      hashtags: ['Milestone', 'ThankYou', 'Community'],
    },
    contractOf(
      {
        milestone: text('What was reached, as the end of a sentence.', 100),
        message: maybe(text('What it means to you, in whole sentences.', 400)),
      },
      { milestone: '10,000 customers', message: 'Five years ago we packed the first parcel on a kitchen table.' },
    ),
  ),
  define(
    'customer_story',
    ['Customer story', 'What a customer achieved.'],
    {
      short: '{{ customer }} {{ result | truncate: 150, "…" }}. Here is how.',
      full: '{{ customer }} {{ result }}.{% if quote %}\n\n“{{ quote }}”{% if person %}\n— {{ person }}{% endif %}{% endif %}\n\nWe are proud to be a part of this story.',
      hashtags: ['CustomerStory', 'CustomerSuccess', 'CaseStudy'],
    },
    contractOf(
      {
        customer: text('The name of the customer.'),
        result: text('What the customer achieved, as the end of a sentence without a full stop.', 200),
        quote: maybe(text('What a person of the customer said, without quotation marks.', 400)),
        person: maybe(text('Who said it, with the position.', 100)),
      },
      {
        customer: 'Bakery Miller',
        result: 'halved the time that ordering takes every morning',
        quote: 'We order while the ovens warm up. Nobody misses the paper lists.',
        person: 'Jo Miller, owner',
      },
    ),
  ),
  define(
    'review_received',
    ['Review received', 'A customer wrote something good about you.'],
    {
      short:
        '“{{ quote | truncate: 120, "…" }}”{% if author %} — {{ author }}{% endif %}{% if source %} ({{ source }}){% endif %}',
      full: '“{{ quote }}”{% if author %}\n— {{ author }}{% endif %}{% if rating %}\n{{ rating }} of 5 stars{% if source %} on {{ source }}{% endif %}{% elsif source %}\n{{ source }}{% endif %}\n\nThank you for taking the time to tell us.',
      hashtags: ['CustomerReview', 'Feedback', 'ThankYou'],
    },
    contractOf(
      {
        quote: text('The words of the review, without quotation marks.', 500),
        author: maybe(text('Who wrote it, as they agreed to be named.', 50)),
        rating: maybe({ type: 'number', minimum: 1, maximum: 5, description: 'Stars, 1 to 5.' }),
        source: maybe(text('Where it was written.', 40)),
      },
      {
        quote: 'The chair arrived two days early, and my back has been quiet since.',
        author: 'Noor',
        rating: 5,
        source: 'ShopReviews',
      },
    ),
  ),
  define(
    'award_won',
    ['Award won', 'A prize or a distinction.'],
    {
      short:
        'We have won {{ award }}{% if organisation %} of {{ organisation }}{% endif %}. Thank you to our team and to everyone who trusted us.',
      full: 'We have won {{ award }}{% if organisation %} of {{ organisation }}{% endif %}.{% if reason %}\n\n{{ reason }}{% endif %}\n\nThis belongs to our team, and to the customers who asked us to do better.',
      hashtags: ['Award', 'Proud', 'Team'],
    },
    contractOf(
      {
        award: text('The award, with its article.', 80),
        organisation: maybe(text('Who awards it, with its article.')),
        reason: maybe(text('What it was given for, in whole sentences.', 400)),
      },
      {
        award: 'the Good Design Prize 2026',
        organisation: 'the Chamber of Crafts',
        reason: 'The jury praised how easily every part can be repaired.',
      },
    ),
  ),
  define(
    'event_announced',
    ['Event announced', 'A date at which people can meet you.'],
    {
      short: '{{ event }}: {{ when }}, {{ place }}. Join us!',
      full: '{{ event }}\n\nWhen: {{ when }}\nWhere: {{ place }}{% if summary %}\n\n{{ summary }}{% endif %}\n\nWe would love to see you there.',
      hashtags: ['Event', 'JoinUs', 'SaveTheDate'],
    },
    contractOf(
      {
        event: text('The name of the event.', 80),
        when: text('The time, as people read it.'),
        place: text('The place, or how to take part.'),
        summary: maybe(text('What happens there, in whole sentences.', 400)),
      },
      {
        event: 'Open workshop day',
        when: '12 June, 10:00–17:00',
        place: 'Mill Street 4, Vienna',
        summary: 'See how a chair is made, and try your hand at the lathe.',
      },
    ),
  ),
  define(
    'webinar_scheduled',
    ['Webinar scheduled', 'A talk that people can follow online.'],
    {
      short:
        'Webinar: {{ title }}. {{ when }}{% if speaker %}, with {{ speaker | truncate: 50, "…" }}{% endif %}. Save your seat.',
      full: 'Webinar: {{ title }}\n\nWhen: {{ when }}{% if speaker %}\nWith: {{ speaker }}{% endif %}{% if summary %}\n\n{{ summary }}{% endif %}\n\nTaking part costs nothing. Save your seat.',
      hashtags: ['Webinar', 'LearnWithUs', 'Online'],
    },
    contractOf(
      {
        title: text('The title, without a full stop.', 80),
        when: text('The time with its time zone, as people read it.'),
        speaker: maybe(text('Who speaks, with the position.', 100)),
        summary: maybe(text('What people learn, in whole sentences.', 400)),
      },
      {
        title: 'Planning a year of content in a day',
        when: '3 March, 16:00 CET',
        speaker: 'Ada Park, head of marketing',
        summary: 'You will leave with a calendar for your next quarter.',
      },
    ),
  ),
  define(
    'sale_started',
    ['Sale started', 'Something costs less for some time.'],
    {
      short: '{{ offer }}{% if until %}, until {{ until }}{% endif %}.{% if code %} The code is {{ code }}.{% endif %}',
      full: '{{ offer }}{% if until %}, until {{ until }}{% endif %}.{% if details %}\n\n{{ details }}{% endif %}{% if code %}\n\nEnter {{ code }} when you order.{% endif %}',
      hashtags: ['Sale', 'Offer', 'Discount'],
    },
    contractOf(
      {
        offer: text('The offer, without a full stop.', 100),
        until: maybe(text('When it ends, as people read it.')),
        code: maybe(text('The code to enter.', 30)),
        details: maybe(text('Its conditions and exclusions, in whole sentences.', 400)),
      },
      { offer: '20 % off all garden chairs', until: 'Sunday evening', code: 'GARDEN20', details: 'Delivery is free.' },
    ),
  ),
  define(
    'back_in_stock',
    ['Back in stock', 'What was sold out can be bought again.'],
    {
      short: '{{ product }} is back in stock.{% if note %} {{ note | truncate: 130, "…" }}{% endif %}',
      full: 'You asked, we made more: {{ product }} is back in stock.{% if note %}\n\n{{ note }}{% endif %}',
      hashtags: ['BackInStock', 'Restock', 'AvailableNow'],
    },
    contractOf(
      {
        product: text('The name of the product.', 80),
        note: maybe(text('How many there are, or what has changed, in whole sentences.', 400)),
      },
      { product: 'The oak stool', note: 'There are 200 of them this time.' },
    ),
  ),
  define(
    'job_opened',
    ['Job opened', 'You are looking for a colleague.'],
    {
      short: 'We are hiring: {{ role }}, {{ place }}. Do you know someone?',
      full: 'We are hiring: {{ role }}\n\nWhere: {{ place }}{% if team %}\nTeam: {{ team }}{% endif %}{% if summary %}\n\n{{ summary }}{% endif %}\n\nDo you know someone who would fit? Please pass it on.',
      hashtags: ['Hiring', 'Jobs', 'JoinOurTeam'],
    },
    contractOf(
      {
        role: text('The position, as in the advertisement.', 80),
        place: text('Where the work is done, such as Vienna or remote.'),
        team: maybe(text('The team.')),
        summary: maybe(text('What the work is, in whole sentences.', 400)),
      },
      {
        role: 'Carpenter (all genders)',
        place: 'Vienna',
        team: 'Workshop',
        summary: 'You build prototypes with our designers and see them go into series.',
      },
    ),
  ),
  define(
    'blog_published',
    ['Blog post published', 'Something new to read.'],
    {
      short: 'New on our blog: {{ title | truncate: 140, "…" }}{% if author %}, by {{ author }}{% endif %}',
      full: 'New on our blog: {{ title }}{% if author %}, by {{ author }}{% endif %}{% if excerpt %}\n\n{{ excerpt }}{% endif %}',
      hashtags: ['Blog', 'NewPost', 'Reading'],
    },
    contractOf(
      {
        title: text('The title of the post.', 200),
        excerpt: maybe(text('What it is about, in whole sentences.', 500)),
        author: maybe(text('Who wrote it.', 50)),
      },
      {
        title: 'Why we glue nothing',
        excerpt: 'Screws can be undone. That decides how long a chair lives.',
        author: 'Jo Miller',
      },
    ),
  ),
  define(
    'partnership_announced',
    ['Partnership announced', 'You do something together with another company.'],
    {
      short: 'We are teaming up with {{ partner }} {{ purpose | truncate: 130, "…" }}.',
      full: 'We are teaming up with {{ partner }} {{ purpose }}.{% if details %}\n\n{{ details }}{% endif %}\n\nThere is more to come from the two of us.',
      hashtags: ['Partnership', 'Together', 'News'],
    },
    contractOf(
      {
        partner: text('The name of the partner.'),
        purpose: text('What for, as the end of a sentence that begins with to, without a full stop.', 200),
        details: maybe(text('What customers get of it, in whole sentences.', 400)),
      },
      {
        partner: 'Rapid Bikes',
        purpose: 'to deliver in Vienna on the day of the order',
        details: 'It starts on Monday and costs nothing more.',
      },
    ),
  ),
  define(
    'incident_resolved',
    ['Incident resolved', 'What did not work works again.'],
    {
      short:
        '{{ service }} works again{% if duration %} after {{ duration }}{% endif %}. We are sorry for the trouble, and thank you for your patience.',
      full: '{{ service }} works again{% if duration %} after {{ duration }}{% endif %}.{% if cause %}\n\nWhat happened: {{ cause }}{% endif %}{% if measures %}\n\nWhat we do about it: {{ measures }}{% endif %}\n\nWe are sorry for the trouble, and thank you for your patience.',
      hashtags: ['Status', 'Update'],
    },
    contractOf(
      {
        service: text('What had failed, as the beginning of a sentence in the singular.'),
        duration: maybe(text('How long it took, as people read it.', 40)),
        cause: maybe(text('What happened, in whole sentences.', 400)),
        measures: maybe(text('What you do so that it does not happen again, in whole sentences.', 400)),
      },
      {
        service: 'Our shop',
        duration: '40 minutes',
        cause: 'A certificate had expired.',
        measures: 'Certificates are now renewed a month ahead.',
      },
    ),
  ),
];

const byKey: ReadonlyMap<string, KitEvent> = new Map(kit.map((event) => [event.eventKey, event]));

export const findEvent = (eventKey: string): KitEvent | undefined => byKey.get(eventKey);

export const eventKeys = kit.map(({ eventKey }) => eventKey);
