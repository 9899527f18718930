// The address of a video inside a page, on hosts that set no cookies before the video is played. Pure.

/** Returns undefined if the address is not a YouTube or Vimeo video. */
export function embedOf(url: string): string | undefined {
  const youtube =
    /^https:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{11})/.exec(
      url,
    );
  if (youtube !== null) return `https://www.youtube-nocookie.com/embed/${youtube[1]}?autoplay=1`;
  const vimeo = /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{4,12})/.exec(url);
  return vimeo === null ? undefined : `https://player.vimeo.com/video/${vimeo[1]}?dnt=1&autoplay=1`;
}

/** The hosts of videos, for the policy of pages with a video. */
export const videoHosts = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const;
