// Computes contrast and mixes of colours. Pure.

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);

/** The relative luminance (WCAG 2.2), 0 to 1. */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio (WCAG 2.2), 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The first colour with a contrast of at least `minRatio` to `ground`; if there is none, the colour with the highest contrast. */
export function readableOn(ground: string, preferred: readonly string[], minRatio = 4.5): string {
  const candidates = [...preferred, '#ffffff', '#14181c'];
  const best = candidates.reduce((a, b) => (contrast(b, ground) > contrast(a, ground) ? b : a));
  return candidates.find((colour) => contrast(colour, ground) >= minRatio) ?? best;
}

/** The colour `below`, covered by `above` with the opacity `share`. */
export function mix(below: string, above: string, share: number): string {
  const over = channels(above);
  const mixed = channels(below).map((value, index) => value * (1 - share) + (over[index] ?? 0) * share);
  return `#${mixed
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
