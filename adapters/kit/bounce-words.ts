// The words with which mail servers give the reason of a refusal: one table for each reason. bounce-class.ts decides on the
// meaning of a reason; reported-bounce.ts only needs the plain words. Every pattern is linear in the length of the text, because
// strangers wrote the text.

/** The subject of a refusal's words. */
export type RefusalReason =
  | 'greylisted'
  | 'mailbox_full'
  | 'too_large'
  | 'attachment'
  | 'content'
  | 'block_list'
  | 'authentication'
  | 'relay'
  | 'rate'
  | 'loop'
  | 'gave_up'
  | 'sender'
  | 'policy'
  | 'disabled'
  | 'local_fault'
  | 'later'
  | 'no_mailbox'
  | 'no_domain';

interface ReasonWords {
  readonly reason: RefusalReason;
  readonly patterns: readonly RegExp[];
}

const recipientNouns = 'user|mailbox|recipient|account|address|person|addressee|alias|customer|subscriber|local part';
const recipientWord = `(?:${recipientNouns})s?(?:'s)?`;
/**
 * The text between two phrases of one sentence. A full stop may be part of an address, so only a full stop and a space end the
 * sentence.
 */
const sameSentence = '(?:(?!\\. )[^;]){0,60}?';

/**
 * Reasons that concern the message, the sender or the moment, in order of precedence. They are checked before the words for a
 * missing mailbox, because servers often name the recipient in the same sentence.
 */
const otherReasons: readonly ReasonWords[] = [
  {
    reason: 'rate',
    patterns: [
      /\bmax(?:imum)? (?:e-?mails|messages) per (?:minute|hour|day)\b|\brate[- ]?limit|\brate\b.{0,30}\b(?:exceed|limit)|\bexceed\w*\b.{0,30}\brate\b|\b(?:daily|hourly|sending|receiving) (?:limit|quota)/,
    ],
  },
  {
    reason: 'mailbox_full',
    patterns: [
      /\b(?:over|exceed\w*|out of|above)\b.{0,30}\bquota\b|\bquota\b.{0,40}\b(?:exceed|full|over|limit|violat|reached)/,
      /\boverquota\b|\bover quota\b|\bquota (?:is )?(?:used|usage)\b|\bdisk quota\b/,
      /\b(?:mailbox|inbox|mail box|maildir|mail ?folder|mail ?drop|storage|account)\b(?:(?!\. )[^;]){0,40}\b(?:is |was )?(?:full|over its limit|too full|overflow)/,
      /\b(?:full|exceed\w*)\b.{0,30}\b(?:mailbox|inbox|storage)\b|\bexceeded storage allocation\b|\bmailbox (?:size )?(?:limit|exceed)/,
      /\b(?:insufficient|not enough|out of|no) (?:disk |storage |mailbox |free |system )*space\b(?! .{0,20}\bsystem)|\bout of storage\b/,
      /\btoo many (?:messages|mails) (?:in|on) (?:this|the) (?:mailbox|mail ?drop|account)/,
      /\b(?:postfach|mailbox) (?:ist )?voll\b|\bbo[iî]te .{0,30}pleine\b|\bbuz[oó]n .{0,20}lleno\b|\bcasella .{0,20}piena\b/,
      /ящик.{0,20}(?:переполнен|полон|заполнен)|переполнен.{0,20}ящик|(?:превышен|исчерпан).{0,30}квот|квот.{0,30}(?:превышен|исчерпан)/,
      /(?:邮箱|信箱|郵箱|空间|空間|容量).{0,15}(?:满|滿|不足|超)|(?:メールボックス|容量|受信箱).{0,20}(?:いっぱい|満杯|一杯|超え|超過|不足)|(?:메일함|사서함|편지함|메일박스|용량).{0,20}(?:가득|초과|꽉|부족)/,
      /\b(?:postfach|mailbox|speicher\w*|kontingent)\b.{0,40}(?:\bvoll\b|überfüllt|überschritten|erschöpft)|\b(?:quota|espace).{0,20}(?:dépassé|insuffisant|atteint)|\b(?:buz[oó]n|bandeja|cuenta|caixa|cota)\b.{0,40}(?:\bllen[oa]\b|\bchei[oa]\b|excedid|superad)|\b(?:cuota|quota)\b.{0,20}(?:excedid|superad|esaurit)|\bcasella.{0,40}(?:piena|esaurit)/,
    ],
  },
  {
    reason: 'too_large',
    patterns: [
      /\b(?:message|mail|e-?mail|size|length|data|content|headers?)\b(?:(?!\. )[^;]){0,40}\b(?:too (?:big|large)|exceed|larger than|bigger than)/,
      /\btoo (?:big|large)\b|\bmaximum (?:message )?size\b|\b(?:message|mail) size (?:limit|exceed)|\bexceeds? (?:the )?(?:maximum|administrative) /,
    ],
  },
  {
    reason: 'authentication',
    patterns: [
      /\b(?:spf|dkim|dmarc|dmarcpolicy|arc)\b|\bsender policy framework\b|\bdomainkeys?\b/,
      /\bunauthenticated\b|\bnot authenticated\b|\bauthentication (?:required|failed|checks?|failure|information)\b|\bauthrequired\b|\bsmtp auth\b|\bmust authenticate\b/,
      /\bptr\b|\breverse (?:dns|hostname|lookup|ip)|\brdns\b|\bfcrdns\b|\bhelo\b|\behlo\b|\bhostname\b.{0,30}\b(?:resolv|lookup|match)/,
      /\b(?:starttls|tls|encryption)\b.{0,30}\b(?:required|needed|must)/,
    ],
  },
  {
    reason: 'attachment',
    patterns: [/\battachments?\b/, /\bfile (?:type|extension)s?\b/, /\bexecutables?\b/, /\bbanned (?:file|name)/],
  },
  {
    reason: 'content',
    patterns: [
      /垃圾(?:邮件|郵件|信)|广告邮件|廣告郵件|スパム(?!.?リスト)|迷惑メール|스팸|(?<![а-яё])спам(?!.?(?:лист|баз))/,
      /\bspam(?!haus|cop)|\bjunk\b|\bunsolicited\b|\bphish|\bubm\b|\buribl\b|\bsurbl\b|\bdbl\b/,
      /\bvirus|\bmalware|\bmalicious|\btrojan|\binfect/,
      /\bcontent\b.{0,40}\b(?:reject|refus|block|denied|not accept|filter|unacceptable)|\b(?:reject|refus|block)\w*\b.{0,40}\bcontent\b/,
      /\bblacklisted (?:url|link|domain)|\bmessage (?:was )?(?:identified|detected|classified|looks|considered)\b/,
      /\b(?:multiple|duplicate|missing|invalid|malformed|bad|headers?) .{0,20}\b(?:from|date|message-id)?:? ?headers?\b|\bmalformed (?:message|mime)|\bnot rfc ?\d* ?compliant\b|\bnot compliant\b|\bbare (?:lf|cr)\b/,
    ],
  },
  {
    reason: 'block_list',
    patterns: [
      /\bblack-?list|\bblack list|\bblock ?list|\bblock list|\bdeny ?list|\bban(?:ned|ning)\b|\b(?:dns|r)bls?\b|\bspamhaus|\bspamcop|\bbarracuda|\bsorbs\b|\bsenderbase|\bproofpoint|\bcloudmark/,
      /\bblocked\b|\bblocking\b|\breputation\b|(?<!not )\blisted (?:in|on|at|by)\b|\bclient host\b|\byour (?:ip|host|server|network|mail server)\b/,
      /\b(?:ip|network|host)(?: address| addr)? .{0,40}\b(?:reject|refus|den|not allow|restrict|bad|poor|suspicious|untrust)/,
      /\b(?:connections?|messages?|mail) (?:from .{0,60})?(?:not accepted|weren't sent|was not sent)\b|\bno smtp service for you\b|\bconnections? (?:refused|rejected|denied) (?:by|due)/,
      /黑名单|黑名單|被?(?:封锁|封鎖|屏蔽|拦截|攔截|阻止)|ブラックリスト|ブロック|차단|블랙리스트|ч[её]рн.{0,6}спис|(?:за)?блокир|спам.?(?:лист|баз)/,
      /\b(?:lista|liste|listas|listes) (?:negra|noire|nera)s?|\bgesperrt|\bblockiert|\bsperrliste|\bschwarze\w? liste|\bbloquead|\bbloqué|\bbloccat/,
      /\bservice refuse\w*\b|\bmessages from .{0,60} temporarily deferred/,
    ],
  },
  {
    reason: 'relay',
    patterns: [/\brelay(?:ing|ed)?\b(?! recipient table)|\bnot? (?:local host|gateway)\b|\brcpthosts\b|\bopen relay\b/],
  },
  {
    reason: 'rate',
    patterns: [
      /\btoo many\b|\bthrottl|\bconnection (?:rate|limit)/,
      /\b(?:receiving|getting) (?:mail|messages) (?:at a rate|too quickly)/,
    ],
  },
  {
    reason: 'loop',
    patterns: [
      /\btoo many hops\b|\bhop count\b|\bmail(?:er)? loop|\bloop(?:s|ing)? (?:back|detected|alert)|\brouting loop\b|\bduplicated message-id/,
    ],
  },
  {
    reason: 'gave_up',
    patterns: [
      /\btimed? ?-?out\b|\btimeout\b|\bconnection (?:was )?(?:refused|reset|dropped|lost|closed)\b|\bnetwork (?:error|is )?unreachable|\bno route to host\b|\bsocket error\b|\bnetwork error\b/,
      /\b(?:envelope|message|mail|delivery time) (?:has )?expired\b|\bexpired (?:in|from) (?:the )?queue|\bin (?:the )?queue too long|\btoo long in (?:the )?queue|\bqueue too long\b|\bbeen in the queue too long/,
      /\b(?:could not be|not|unable to be) (?:delivered|deliver) (?:for|after|within|in) (?:the last |more than )?\d|\bdelivery failed \d+ attempts|\bgiving up\b(?! on )|\bafter \d+ (?:attempts|tries|hours|days)\b/,
      /\b(?:unable|failed|did not|not able) to (?:contact|connect|reach)|\bdid not accept our requests to connect|\bcannot connect|\bcould ?n[o']t (?:connect|reach)|\bcouldn't establish|\bnot responding\b|\bserver (?:is )?(?:down|busy)\b|\bhost (?:is )?(?:down|unreachable)\b|\bnot found, try again\b|\bcould not find a gateway\b|\b(?:aborted|expired|undelivered) after \d|\bmaximum (?:retry|retries)|\bretry time(?:out)? (?:exceeded|not reached)|\bnon-?responsive\b/,
    ],
  },
  {
    reason: 'sender',
    patterns: [
      /\bsenders?\b|\bmail from\b|\bfrom[- ](?:address|header)|\bfrom:|\breturn[- ]path\b|\benvelope from\b|\boriginator\b|\bexp[ée]diteur\b|\byour (?:domain|address|e-?mail(?! (?:message )?(?:to|was|could|has|cannot)\b))\b/,
    ],
  },
  {
    reason: 'policy',
    patterns: [
      /\bpolic(?:y|ies)\b|\bdenied\b|\bprohibit|\bforbidden\b|\brestrict|\bnot (?:authori[sz]ed|permitted|allowed)\b|\bpermission|\bunauthori[sz]ed\b|\badministrative\b|\bfilter(?:ed|ing|s)?\b|\bsecurity\b|\bprotection\b/,
      /\b(?:rejected|refused) (?:by|for|due|because)\b|\bpreferences\b|\bnot (?:on|in) .{0,20}\b(?:allow|white|safe)[ -]?list|\b(?:white|allow)-?list|\b(?:white|allow) list/,
      /\bpol[ií]tica|\brichtlinie|\bpolitique|политик|(?<!не)правил|策略|政策|ポリシー|정책|拒收|拒绝|拒絕|拒否|거부|отклонен|отказано|\bzugriff verweigert|\bacc[eè]s refusé|\bacceso denegado|\bacesso negado|\baccesso negato/,
    ],
  },
  {
    reason: 'content',
    patterns: [
      /\b(?:message|mail) (?:has been |was |is )?(?:rejected|refused|redundant)\b(?!.{0,40}\brecipient)|\bmail rejet[eé]/,
    ],
  },
  {
    reason: 'disabled',
    patterns: [
      /\b(?:account|mailbox|user|recipient|address|e-?mail)\b(?:(?!\. )[^;]){0,60}\b(?:disabled|suspended|locked|inactive|discontinued|deactivated|on hold|frozen|not accepting|temporarily unavailable)/,
      /\b(?:disabled|suspended|inactive|deactivated|locked|discontinued) (?:recipient|mailbox|user|account|address|e-?mail)/,
    ],
  },
  {
    reason: 'local_fault',
    patterns: [
      /\bcommand (?:died|failed|output)\b|\bprocmail\b|\bpipe\b|\blocal (?:delivery|error|configuration)|\b(?:mailer|configuration|system|protocol|internal|unexpected) (?:error|failure)\b|\bservice (?:currently )?unavailable\b|\bcan(?:no|')t (?:create|open|write)|\bunable to (?:open|write|contact)/,
    ],
  },
  // Not "check the address and try again".
  {
    reason: 'later',
    patterns: [
      /\b(?:try|retry|again|come back)(?: again)? later\b|^\W*(?:[45]\d\d\W*)?(?:[45]\.\d\.\d+\W*)?(?:please )?(?:try again|retry)\b|\bnot yet (?:activ|enabled|ready|available)/,
      /稍后|稍後|後ほど|나중에|позже|\bspäter (?:erneut|noch ?mal|wieder)|\bm[aá]s tarde|\bmais tarde|\bplus tard|\bpiù tardi/,
    ],
  },
];

/** Words that say that the mailbox itself does not exist. */
const missingReasons: readonly ReasonWords[] = [
  {
    reason: 'no_mailbox',
    patterns: [
      new RegExp(
        `\\b(?:no such|unknown|invalid|non-?existent|unrecogni[sz]ed|illegal|bad|undefined|not a (?:valid|known)|not an? existing|isn't a (?:valid|known)) (?:or \\w+ )?(?:local |virtual |e-?mail |destination |recipient |smtp )*${recipientWord}\\b`,
      ),
      new RegExp(
        `\\b${recipientWord}\\b${sameSentence}\\b(?:unknown|(?:was |were |is |are |be )?not (?:be )?(?:found|present|known|recogni[sz]ed|valid|listed|exists?|available(?! (?:to|for|at))|here|local|our customer)|(?:could|can)(?: ?not|n't) be found|unavailable|invalid|no longer (?:exists?|valid|available|active|on|in use|here|with)|(?:does|did|do)(?: not|n'?t) exist|non-?existent|doesn't have an?)`,
      ),
      /\b(?:no mailbox|no account|no mail ?box available) (?:here |available )?(?:by|with|for) (?:that|this) (?:name|user|address)|\bno (?:such )?(?:one|body|account|user|mailbox|recipient) (?:here|by that name|at this address|with (?:that|this) (?:name|(?:e-?mail )?address))|\bnot our customer\b|\bno longer on server\b|\b(?:has|have) moved\b|\bno valid recipients? (?:found)?\b.{0,10}\bunknown/,
      /\bresolver\.adr\.\w*(?:notfound|badprimary)|\brecip(?:ient)?(?:notfound|doesnotexist)\b|\bnot listed in (?:the )?(?:domino |public )|\brecipient name is not recognized|\bmailbox not (?:here|found)|\bnot (?:present )?in (?:the |my |our )?(?:directory|valid ?rcpt ?to|recipient)/,
      /\bbad ?rcpt ?to\b|\bno longer accepts mail\b|\baddress(?:es)? (?:was |were )?(?:unknown|undeliverable)|\bundeliverable address\b|\baccount (?:that you tried to reach )?(?:has been |was |is )?(?:deleted|closed|terminated|removed|cancell?ed)|\bnot (?:an active|a local|a registered|one of our) \b/,
      /^\W*(?:\d{3}\W*)?(?:recipient )?address rejected\W*$/,
      /\b(?:empf[aä]nger|benutzer|adresse|postfach)\b.{0,60}(?:unbekannt|existiert nicht|nicht gefunden|nicht bekannt|ung[uü]ltig)|\bunbekannte[rns]? (?:empf|be?nutzer|nutzer|adress)|\bnicht bekannter (?:empf|benutzer)/,
      /\b(?:utilisateur|destinataire|adresse|bo[iî]te|compte)\b.{0,60}(?:inconnue?|invalide|n'existe (?:pas|plus)|introuvable|inexistante?)/,
      /\b(?:usuario|destinatario|direcci[oó]n|cuenta|buz[oó]n|utente|indirizzo|casella|usu[aá]rio|endere[cç]o)\b.{0,60}(?:descono?cid|no existe|inesistente|inexistente|sconosciut|non esiste|n[aã]o existe|no encontrad)|\bno existe (?:ese|el|la|dicha) (?:usuario|cuenta|persona|direcci)/,
      /\b(?:gebruiker|ontvanger|postbus)\b.{0,60}(?:onbekend|bestaat niet)|\b(?:adres|konto|u[zż]ytkownik)\b.{0,40}nie istnieje|\bnie ma takiego (?:konta|adresu|u[zż]ytkownika)|(?:пользовател|адрес|ящик|получател).{0,60}не (?:найден|существует|зарегистрирован)/,
      /(?:宛先|ユーザ|アドレス|アカウント|受信者|ディレクトリ).{0,60}(?:不明|存在しま|見つかりま|ありません)|(?:用户|收件人|地址|帐号|账号|邮箱).{0,20}(?:不存在|未找到|無效|无效)|没有该用户|(?:사용자|수신자|계정).{0,30}(?:없|존재하지)/,
    ],
  },
  {
    reason: 'no_domain',
    patterns: [
      /\bnxdomain\b|\bhost unknown\b|\bunknown (?:host|domain)\b|\b(?:no such|invalid|non-?existent) (?:host|domain)|\bunroute?able\b/,
      /\b(?:host|domain)(?: name)?s?\b(?:(?!\. )[^;]){0,60}\b(?:not (?:be )?found|unknown|(?:does|did)(?: not|n'?t) exist|couldn't be found)/,
      /\bnull mx\b|\bno mx\b|\b(?:does|do|will)(?: not|n'?t) (?:accept|receive) (?:any )?e?-?mail\b|\bno smtp service\b|\bcouldn't find (?:any host|a mail exchanger)|\bno mail exchanger|\bnot accept mail\b/,
    ],
  },
];

/** Words that servers do not use for policies. */
const unknownUser =
  /\binvalid recipient\b|\b(?:no such|unknown|non-?existent) (?:\w+ )?(?:user|recipient|mailbox|account|person|addressee|address)|\b(?:user|recipient|mailbox|account|address)s?\b(?:(?!\. )[^;]){0,40}\b(?:unknown|not (?:be )?found|(?:does|did|do)(?: not|n'?t) exist|non-?existent|no longer exists?)|\badr\.\w*notfound|\brecip(?:ient)?notfound\b/;

/** The text of a refusal, prepared for the tables: one line, lower case, without addresses, and the links apart. */
export interface PlainWords {
  readonly words: string;
  readonly links: string;
}

/** The number of characters that are read; the reason comes first. */
const maxReadCharacters = 2_000;

/**
 * Addresses, host names and links are removed, because they would mislead: `sender@`, `policy@`, `spam.example`. Links
 * are returned separately, because they often contain the reason.
 */
export function plainWordsOf(text: string): PlainWords {
  const lowerCased = text.slice(0, maxReadCharacters).toLowerCase();
  const links = lowerCased.match(/\bhttps?:\/\/\S{0,300}/g)?.join(' ') ?? '';
  const withoutAddresses = lowerCased
    .replace(/\bhttps?:\/\/\S+/g, ' ')
    .replace(/<[^<>]{0,400}>|[^\s@<>():]{1,200}@(?:\[[^\s@<>()[\]]{1,80}\]|[^\s@<>():]{1,255})/g, ' ')
    .replace(/(?<![\w.-])(?:[a-z0-9][\w-]{0,62}\.){2,8}[a-z]{2,6}(?![\w-])/g, ' ')
    .replace(/\breturn\w* (?:\w+ )?to (?:the )?sender\b/g, ' ')
    .replace(/[’‘]/g, "'")
    .replace(/[\p{Cc}\s]+/gu, ' ');
  return { words: withoutAddresses, links };
}

const findReason = (tables: readonly ReasonWords[], text: string): RefusalReason | undefined =>
  tables.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.reason;

/** The reason, if it is about anything other than the mailbox's existence. */
export const otherReason = ({ words }: PlainWords): RefusalReason | undefined => findReason(otherReasons, words);

/** Whether the words say that the user is unknown, and nothing weaker. */
export const saysUnknownUser = ({ words }: PlainWords): boolean => unknownUser.test(words);

/** Whether most letters belong to other scripts. One sign of Chinese, Japanese or Korean counts as several letters. */
export function isMostlyNotLatin({ words }: PlainWords): boolean {
  const letterCount = words.match(/\p{L}/gu)?.length ?? 0;
  const latinCount = words.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return 3 * (letterCount - latinCount) > latinCount;
}

/** The reason, if the words mean that the mailbox or its domain does not exist. */
export const missingReason = ({ words }: PlainWords): RefusalReason | undefined => findReason(missingReasons, words);
