// Texts and sizes with which the layouts of designs are drawn for a review and tested.
import { styleOf } from '../../plugins/designs/composing/compose.ts';
import { layOut, textsOf } from '../../plugins/designs/composing/embedded.ts';
import type { DesignLayoutName } from '../../plugins/designs/composing/layouts.ts';
import type { PictureCopy } from '../../plugins/designs/composing/picture-copy.ts';
import { measuredRulers } from '../../plugins/designs/paint/measure.ts';
import { findSize } from '../../plugins/designs/sizes.ts';

export const designSizes = [
  ...['ig-square', 'ig-story', 'x-post', 'x-header', 'li-cover', 'og-image', 'pin', 'email-hero'],
].map((id) => {
  const size = findSize(id);
  if (size === undefined) throw new Error(`There is no size ${id}.`);
  return size;
});

export const designTexts: Readonly<Record<string, PictureCopy & { readonly brand: string }>> = {
  german: {
    heading: 'Donaudampfschifffahrtsgesellschaft eröffnet die Herbstsaison',
    line: 'Fahrten mit Rechtsschutzversicherungsgesellschaften und Frühstück ab 29 Euro, jeden Sonntag.',
    brand: 'Donau Linien',
  },
  japanese: {
    heading: '春の新商品フェア、全品二〇パーセント引き',
    line: '「小麦粉」からパンまで、日曜日の午後六時までの期間限定です。ぜひご来店ください。',
    brand: '青空ベーカリー',
  },
  arabic: {
    heading: 'عروض الربيع: خصم 20% على جميع الكراسي',
    line: 'حتى يوم الأحد فقط في جميع فروعنا، مع توصيل مجاني للطلبات فوق 50 يورو.',
    brand: 'متجر أكمي',
  },
};

/** Lays out a text as the service does: measured with the fonts that draw it. */
export async function layOutCopy(
  { brand, ...copy }: PictureCopy & { readonly brand: string },
  { width, height }: { readonly width: number; readonly height: number },
  layout: DesignLayoutName,
) {
  const style = { ...styleOf(undefined), name: brand };
  const rulers = await measuredRulers(textsOf(copy, style), {});
  const { layers } = layOut(copy, { width, height, style, layout, rulers });
  return { width, height, rulers, layers: layers.map((layer, index) => ({ ...layer, id: `layer${index}` })) };
}
