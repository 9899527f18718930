// Messages of the API for people who see a page. Pure.

/** A refusal for people who see a page and not the API: without the sentences that name routes of the API. */
export const wordsForPeople = (message: string): string =>
  message
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !sentence.includes('/v1/'))
    .join(' ');
