// The purpose of a page, from the words of its objective and brief. It decides the sections. Pure.

/** `event`: people come at a time. `sale`: they buy. `leads`: they leave an address. `contact`: they ask. */
export type PagePurpose = 'event' | 'sale' | 'leads' | 'contact';

const patterns: readonly (readonly [PagePurpose, RegExp])[] = [
  [
    'leads',
    /newsletter|waitlist|waiting list|sign.?ups?\b|subscri|\bleads?\b|download|e-?book|whitepaper|warteliste|abonn|herunterladen|liste d[’']attente|télécharg|inscriptions?\b|lista de espera|suscri|suscripci|descarg|メルマガ|登録|ダウンロード|ウェイトリスト|النشرة|قائمة الانتظار|اشتراك|تحميل/iu,
  ],
  [
    'event',
    /\b(?:events?|courses?|workshops?|webinars?|conferences?|seminars?|meetups?|class(?:es)?|trainings?|festivals?)\b|\p{L}*(?:kurs(?:e|es)?|workshop|webinar|konferenz|veranstaltung|seminar|schulung)\b|\b(?:ateliers?|cours|conférences?|formations?|stages?|concerts?)\b|\b(?:talleres|taller|cursos?|conferencias?|seminarios?|eventos?)\b|教室|講座|セミナー|イベント|ワークショップ|研修|دورة|لدورت|دورتنا|ورشة|مؤتمر|ندوة|فعالية/iu,
  ],
  [
    'sale',
    /\b(?:sales?|sell|buy|orders?|shops?|stores?|products?|prices?|pricing|offers?|launch)\b|verkauf|kaufen|bestell|\p{L}*(?:laden|produkt|angebot)\b|preis|\b(?:vendre|ventes?|acheter|boutique|produits?|offres?|prix|commander)\b|\b(?:vender|ventas?|comprar|tienda|productos?|ofertas?|precios?)\b|販売|購入|商品|ショップ|発売|価格|بيع|شراء|متجر|منتج|عرض|سعر/iu,
  ],
];

const matchingPurpose = (text: string): PagePurpose | undefined =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0];

/** The purpose that the objective names or, if it names none, the brief. */
export const purposeOf = (objective: string | null, brief: string): PagePurpose =>
  matchingPurpose(objective ?? '') ?? matchingPurpose(brief) ?? 'contact';
