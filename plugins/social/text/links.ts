// URLs as X finds them in a text: with a protocol, or a bare domain of a common top-level domain. X counts each of them as 23.

/** Top-level domains of countries. */
const countries =
  'ac|ad|ae|af|ag|ai|al|am|ao|aq|ar|as|at|au|aw|ax|az|ba|bb|bd|be|bf|bg|bh|bi|bj|bm|bn|bo|br|bs|bt|bv|bw|by|bz|ca|cc|cd|cf|cg|ch|ci|ck|cl|cm|cn|co|cr|cu|cv|cw|cx|cy|cz|de|dj|dk|dm|do|dz|ec|ee|eg|er|es|et|eu|fi|fj|fk|fm|fo|fr|ga|gb|gd|ge|gf|gg|gh|gi|gl|gm|gn|gp|gq|gr|gs|gt|gu|gw|gy|hk|hm|hn|hr|ht|hu|id|ie|il|im|in|io|iq|ir|is|it|je|jm|jo|jp|ke|kg|kh|ki|km|kn|kp|kr|kw|ky|kz|la|lb|lc|li|lk|lr|ls|lt|lu|lv|ly|ma|mc|md|me|mg|mh|mk|ml|mm|mn|mo|mp|mq|mr|ms|mt|mu|mv|mw|mx|my|mz|na|nc|ne|nf|ng|ni|nl|no|np|nr|nu|nz|om|pa|pe|pf|pg|ph|pk|pl|pm|pn|pr|ps|pt|pw|py|qa|re|ro|rs|ru|rw|sa|sb|sc|sd|se|sg|sh|si|sj|sk|sl|sm|sn|so|sr|ss|st|su|sv|sx|sy|sz|tc|td|tf|tg|th|tj|tk|tl|tm|tn|to|tr|tt|tv|tw|tz|ua|ug|uk|us|uy|uz|va|vc|ve|vg|vi|vn|vu|wf|ws|ye|yt|za|zm|zw';

/** The common others. */
const generic =
  'academy|agency|app|art|biz|blog|business|cafe|center|city|click|cloud|club|coach|codes|com|community|company|consulting|design|dev|digital|edu|education|email|energy|engineering|events|expert|finance|fitness|fund|games|gov|group|guide|health|help|host|info|int|jobs|land|legal|life|link|live|market|marketing|media|mil|mobi|name|net|network|news|ngo|one|online|org|page|partners|photo|photography|pizza|plus|press|pro|pub|run|sale|school|science|services|shop|site|social|software|solutions|space|store|studio|support|systems|team|tech|tips|today|tools|top|travel|uno|ventures|video|vip|website|wiki|work|world|xyz|zone';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';
const host = `(?:${label}\\.)+\\p{L}[\\p{L}\\p{N}-]*`;
const bareHost = `(?:${label}\\.)+(?:${generic}|${countries})(?![\\p{L}\\p{N}_@-])`;
const port = '(?::\\d+)?';
const plain = '[^\\s<>"\'()]';
const bracketed = `\\(${plain}*\\)`;
/** Of a path, a query or a fragment; the last character is no punctuation, and brackets come in pairs. */
const rest = `(?:[/?#](?:(?:${plain}|${bracketed})*(?:[^\\s<>"'().,;:!?]|${bracketed}))?)?`;
/** What stands before a URL: no letter, no digit, and none of the signs of mentions and mail addresses. */
const before = '(?<![\\p{L}\\p{N}@＠$#＃._/-])';

const withProtocol = `https?://${host}${port}${rest}`;
const withoutProtocol = `${bareHost}${port}${rest}`;
const pattern = new RegExp(`${before}(?:${withProtocol}|${withoutProtocol})`, 'giu');

/** A bare `name.cc` of a country without a path: X sees a typing error in it, but for .co and .tv. */
const looksLikeTypo = (url: string): boolean => /^[^./:]+\.[a-z]{2}$/i.test(url) && !/\.(?:co|tv|ai|io)$/i.test(url);

/** Where the URLs of a text are. */
export function urlsIn(text: string): { readonly start: number; readonly end: number }[] {
  const found = [];
  for (const match of text.matchAll(pattern))
    if (!looksLikeTypo(match[0])) found.push({ start: match.index, end: match.index + match[0].length });
  return found;
}

/** Whether X sees a URL in the text. */
export const hasUrl = (text: string): boolean => urlsIn(text).length > 0;
