/** The id of the content kind of sequences, under which approvals know them. */
export const sequenceKindId = 'sequence';
