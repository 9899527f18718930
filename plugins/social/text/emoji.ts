// Matches emoji in a text, each with all of its code points: modifiers, joined parts, flags and keycaps (Unicode UTS #51).

const part = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?';
const tags = '(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?';

/** The source of a regular expression with the flag `u`. */
export const emojiSource = `\\p{Regional_Indicator}{2}|[#*0-9]\\uFE0F?\\u20E3|${part}${tags}(?:\\u200D${part})*`;
