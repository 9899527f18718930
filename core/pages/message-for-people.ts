// Shortens messages of the API for people who see a page. Pure.

/** A message without the sentences that name routes of the API. */
export const messageForPeople = (message: string): string =>
  message
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !sentence.includes('/v1/'))
    .join(' ');
