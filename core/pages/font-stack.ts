// The fonts of a page: the family of a brand, then fonts that devices have for the script of the page. Nothing is
// loaded. Called by the frame of public pages and by plugins that write whole documents. Pure.

/** A font that visitors may have; pages do not load fonts. */
export interface PageFont {
  /** Letters, digits, spaces and hyphens. */
  readonly family: string;
  readonly fallback: 'sans' | 'serif' | 'mono';
}

/**
 * Fonts of macOS, Windows and Linux, by script (ISO 15924). Han letters are drawn differently in China, Taiwan, Japan
 * and Korea.
 */
const scripts: Readonly<Record<string, { readonly sans: readonly string[]; readonly serif: readonly string[] }>> = {
  Jpan: {
    sans: ['Hiragino Sans', 'Yu Gothic UI', 'Meiryo', 'Noto Sans CJK JP', 'Noto Sans JP'],
    serif: ['Hiragino Mincho ProN', 'Yu Mincho', 'Noto Serif CJK JP', 'Noto Serif JP'],
  },
  Hans: {
    sans: ['PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC'],
    serif: ['Songti SC', 'SimSun', 'Noto Serif CJK SC', 'Noto Serif SC'],
  },
  Hant: {
    sans: ['PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC'],
    serif: ['Songti TC', 'PMingLiU', 'Noto Serif CJK TC', 'Noto Serif TC'],
  },
  Kore: {
    sans: ['Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR'],
    serif: ['AppleMyungjo', 'Batang', 'Noto Serif CJK KR', 'Noto Serif KR'],
  },
  Arab: {
    sans: ['SF Arabic', 'Segoe UI', 'Noto Sans Arabic', 'Noto Kufi Arabic', 'DejaVu Sans'],
    serif: ['Geeza Pro', 'Traditional Arabic', 'Noto Naskh Arabic'],
  },
  Hebr: {
    sans: ['SF Hebrew', 'Segoe UI', 'Noto Sans Hebrew'],
    serif: ['New Peninim MT', 'David', 'Noto Serif Hebrew'],
  },
  Thai: {
    sans: ['Thonburi', 'Leelawadee UI', 'Noto Sans Thai', 'Noto Sans Thai Looped'],
    serif: ['Thonburi', 'Leelawadee UI', 'Noto Serif Thai'],
  },
  Deva: {
    sans: ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari'],
    serif: ['Devanagari MT', 'Nirmala UI', 'Noto Serif Devanagari'],
  },
};

const general = {
  sans: ['system-ui', '-apple-system', 'Segoe UI', 'Roboto', 'Noto Sans'],
  serif: ['Charter', 'Iowan Old Style', 'Georgia', 'Noto Serif'],
  mono: ['ui-monospace', 'SFMono-Regular', 'Menlo', 'Consolas', 'Noto Sans Mono'],
} as const;
const generic = { sans: 'sans-serif', serif: 'serif', mono: 'monospace' } as const;

/** A name as CSS. The keywords of systems have no quotes. */
const quotedName = (family: string): string =>
  /^(?:system-ui|-apple-system|ui-\w+)$/.test(family) ? family : `"${family}"`;

function fontsFor(language: string, fallback: PageFont['fallback']): readonly string[] {
  if (fallback === 'mono') return [];
  try {
    return scripts[new Intl.Locale(language).maximize().script ?? '']?.[fallback] ?? [];
  } catch {
    return [];
  }
}

/** The value of `font-family`. @param language the BCP 47 tag of the page */
export function fontStack({ family, fallback }: PageFont, language: string): string {
  const brandFamily = /^[A-Za-z0-9 -]{1,60}$/.test(family) ? [family] : [];
  const families = [
    ...brandFamily,
    ...general[fallback].slice(0, 1),
    ...fontsFor(language, fallback),
    ...general[fallback],
  ];
  return [...[...new Set(families)].map(quotedName), generic[fallback]].join(',');
}
