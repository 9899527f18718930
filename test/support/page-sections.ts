// A section of every kind, for the tests of public pages.

/** `imageAssetId` is an asset of the workspace, used for every picture. */
export const everySection = (imageAssetId: string) => [
  {
    kind: 'hero',
    heading: 'Bake sourdough that rises',
    text: 'Six evenings for beginners. **All flour included.**',
    cta: { label: 'Join the course', href: '#form-signup' },
  },
  { kind: 'logos', heading: 'As seen in', items: [{ imageAssetId, title: 'The Daily Loaf' }] },
  {
    kind: 'features',
    heading: 'What you get',
    items: [
      { title: 'A starter of your own', text: 'Fed for *ten years*.' },
      { title: 'Six evenings', text: 'Every Tuesday from seven to nine.' },
      { title: 'A place at the oven', text: 'Two people share one.', imageAssetId },
    ],
  },
  {
    kind: 'how_it_works',
    heading: 'How it works',
    items: [{ title: 'Book', text: 'Pay on the first evening.' }, { title: 'Bake' }, { title: 'Eat' }],
  },
  {
    kind: 'stats',
    items: [
      { title: 'Evenings', value: '6' },
      { title: 'Breads', value: '14' },
    ],
  },
  {
    kind: 'testimonials',
    heading: 'What people say',
    items: [{ title: 'Ada', value: 'Baker', text: 'My bread *rises* now.' }],
  },
  { kind: 'team', heading: 'Who teaches', items: [{ title: 'Bea', value: 'Master baker', imageAssetId }] },
  {
    kind: 'pricing',
    heading: 'Prices',
    items: [
      { title: 'One evening', value: '€29', text: 'Try it.', href: 'https://acme.example/one' },
      { title: 'The course', value: '€149', text: 'All six.', href: '/p/course' },
    ],
  },
  {
    kind: 'comparison',
    heading: 'Beside the others',
    columns: ['Ours', 'Others'],
    items: [
      { title: 'Flour included', values: ['Yes', 'No'] },
      { title: 'People', values: ['8', '20'] },
    ],
  },
  { kind: 'gallery', heading: 'Pictures', items: [{ imageAssetId, title: 'A loaf' }] },
  { kind: 'video', heading: 'Watch one evening', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
  { kind: 'countdown', heading: 'It begins soon', until: '2027-03-01T18:00:00Z' },
  {
    kind: 'richtext',
    heading: 'More',
    text: '## Details\n\nBring an *apron*.\n\n- A bowl\n- A towel\n\n> Quiet please.',
  },
  { kind: 'faq', heading: 'Questions', items: [{ title: 'Do I need a starter?', text: 'No, you get one.' }] },
  { kind: 'banner', heading: 'Only eight places', text: 'In each course.' },
  {
    kind: 'newsletter',
    heading: 'News',
    form: { formId: 'news', fields: [{ name: 'email', type: 'email', label: 'Email', required: true }] },
  },
  {
    kind: 'lead_form',
    heading: 'Join the course',
    form: {
      formId: 'signup',
      consentText: 'We write about the course only.',
      thanks: 'See you **soon**.',
      fields: [
        { name: 'email', type: 'email', label: 'Email', required: true },
        { name: 'name', type: 'text', label: 'Name' },
        { name: 'level', type: 'select', label: 'Have you baked?', options: ['Never', 'Often'] },
        { name: 'agreed', type: 'checkbox', label: 'I bring an apron', required: true },
      ],
    },
  },
  {
    kind: 'contact',
    heading: 'Ask us',
    form: {
      formId: 'contact',
      fields: [
        { name: 'mail', type: 'email', label: 'Your email', required: true },
        { name: 'question', type: 'textarea', label: 'Your question', required: true },
      ],
    },
  },
  { kind: 'cta', heading: 'Ready?', cta: { label: 'Join', href: 'https://acme.example/join' } },
  { kind: 'footer', heading: 'Acme bakery', items: [{ title: 'Imprint', href: '/imprint' }] },
];
