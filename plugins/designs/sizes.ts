// The picture sizes that channels require. Data only.

/** A named size of compositions. */
export interface CanvasSize {
  readonly cropPresetId: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The channel that recommends it. */
  readonly channelId: string;
}

const size = (cropPresetId: string, name: string, width: number, height: number, channelId: string): CanvasSize => ({
  cropPresetId,
  name,
  width,
  height,
  channelId,
});

/** All sizes, ordered by channel. */
export const canvasSizes: readonly CanvasSize[] = [
  size('ig-square', 'Instagram square', 1_080, 1_080, 'instagram'),
  size('ig-portrait', 'Instagram portrait', 1_080, 1_350, 'instagram'),
  size('ig-story', 'Instagram story', 1_080, 1_920, 'instagram'),
  size('x-post', 'X post', 1_600, 900, 'x'),
  size('x-header', 'X header', 1_500, 500, 'x'),
  size('li-post', 'LinkedIn post', 1_200, 627, 'linkedin'),
  size('li-square', 'LinkedIn square', 1_200, 1_200, 'linkedin'),
  size('li-cover', 'LinkedIn cover', 1_128, 191, 'linkedin'),
  size('fb-post', 'Facebook post', 1_200, 630, 'facebook'),
  size('fb-cover', 'Facebook cover', 820, 312, 'facebook'),
  size('pin', 'Pinterest pin', 1_000, 1_500, 'pinterest'),
  size('yt-thumbnail', 'YouTube thumbnail', 1_280, 720, 'youtube'),
  size('yt-banner', 'YouTube banner', 2_560, 1_440, 'youtube'),
  size('tiktok', 'TikTok video', 1_080, 1_920, 'tiktok'),
  size('og-image', 'Link preview', 1_200, 630, 'web'),
  size('email-hero', 'Email hero', 1_200, 600, 'email'),
];

/** The default size of a composition. */
export const defaultPresetId = 'ig-square';

export const presetIds = canvasSizes.map(({ cropPresetId }) => cropPresetId) as [string, ...string[]];

export const findSize = (id: string): CanvasSize | undefined =>
  canvasSizes.find(({ cropPresetId }) => cropPresetId === id);
