// The words of pages and mails in the tests of their appearance: languages in Latin, Arabic, Hebrew and Japanese letters.

/** The words of one language, for contents. */
export interface SampleWords {
  readonly brand: string;
  readonly title: string;
  readonly sentence: string;
  /** A word in which a line cannot break. */
  readonly longWord: string;
}

/** Words in Latin, Arabic, Hebrew and Japanese letters. */
export const sampleWords = {
  de: {
    brand: 'Hofladen Müller & Söhne',
    title: 'Donaudampfschifffahrtsgesellschaft lädt ein',
    sentence: 'Sechs Abende für Anfänger, an denen alles Mehl dabei ist. Wir freuen uns auf Sie.',
    longWord: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  },
  ar: {
    brand: 'مخبز الوردة الحمراء',
    title: 'دورة الخبز للمبتدئين في ستة مساءات',
    sentence: 'تعلّم خبز العجين المخمّر خطوة بخطوة مع Acme، والطحين كله مشمول في السعر (149 €).',
    longWord: 'أفاستسقيناكموهافاستسقيناكموهافاستسقيناكموهافاستسقيناكموها',
  },
  he: {
    brand: 'מאפיית השושנה האדומה',
    title: 'קורס לחם למתחילים בשישה ערבים',
    sentence: 'לומדים לאפות לחם מחמצת צעד אחר צעד עם Acme, וכל הקמח כלול במחיר (149 €).',
    longWord: 'ולכשתתאפשרנההתפתחויותיהםולכשתתאפשרנההתפתחויותיהם',
  },
  ja: {
    brand: '赤いバラのパン屋',
    title: '初心者のための六晩のパン教室',
    sentence:
      'サワードウの焼き方を一歩ずつ学びます。小麦粉はすべて料金に含まれています。皆さまのご参加をお待ちしています。',
    longWord: '株式会社赤いバラのパン屋製造販売研究開発部門総合企画室',
  },
} as const satisfies Readonly<Record<string, SampleWords>>;

export type SampleLanguage = keyof typeof sampleWords;
