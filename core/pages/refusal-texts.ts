// The fixed texts of the core's own pages for visitors. Called by refusal-page.ts.
import { type BuiltInTexts, type PageTexts, pageTexts, type TextsInOneLanguage } from './page-texts.ts';

interface RefusalTexts extends TextsInOneLanguage {
  readonly missingTitle: string;
  readonly missing: string;
  /** The link to the start page. */
  readonly start: string;
  readonly tooManyTitle: string;
  readonly tooMany: string;
  /** If the service failed. */
  readonly failedTitle: string;
  readonly failed: string;
  /** Names the request for the sender's support; contains `{id}`. */
  readonly reference: string;
}

const builtIn: BuiltInTexts<RefusalTexts> = {
  en: {
    missingTitle: 'Page not found',
    missing: 'There is no page at this address. It may have moved, or the address may contain a mistake.',
    start: 'Back to the start',
    tooManyTitle: 'Too many requests',
    tooMany: 'There were too many requests in a short time. Please wait a minute, then try again.',
    failedTitle: 'Something went wrong',
    failed: 'This page cannot be shown at the moment. Please try again in a few minutes.',
    reference: 'Reference: {id}',
  },
  de: {
    missingTitle: 'Seite nicht gefunden',
    missing: 'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen, oder die Adresse ist falsch.',
    start: 'Zur Startseite',
    tooManyTitle: 'Zu viele Anfragen',
    tooMany:
      'Das wurde in kurzer Zeit zu oft aufgerufen. Bitte warten Sie eine Minute und versuchen Sie es dann erneut.',
    failedTitle: 'Etwas ist schiefgegangen',
    failed: 'Diese Seite kann gerade nicht angezeigt werden. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    reference: 'Referenz: {id}',
  },
  fr: {
    missingTitle: 'Page introuvable',
    missing: 'Il n’y a pas de page à cette adresse. Elle a peut-être été déplacée, ou l’adresse contient une erreur.',
    start: 'Retour à l’accueil',
    tooManyTitle: 'Trop de demandes',
    tooMany: 'Il y a eu trop de demandes en peu de temps. Attendez une minute, puis réessayez.',
    failedTitle: 'Une erreur s’est produite',
    failed: 'Cette page ne peut pas être affichée pour le moment. Réessayez dans quelques minutes.',
    reference: 'Référence : {id}',
  },
  es: {
    missingTitle: 'Página no encontrada',
    missing: 'No hay ninguna página en esta dirección. Puede que se haya movido o que la dirección tenga un error.',
    start: 'Volver al inicio',
    tooManyTitle: 'Demasiadas solicitudes',
    tooMany: 'Ha habido demasiadas solicitudes en poco tiempo. Espere un minuto e inténtelo de nuevo.',
    failedTitle: 'Algo ha fallado',
    failed: 'Esta página no se puede mostrar en este momento. Inténtelo de nuevo en unos minutos.',
    reference: 'Referencia: {id}',
  },
  it: {
    missingTitle: 'Pagina non trovata',
    missing: 'A questo indirizzo non c’è alcuna pagina. Forse è stata spostata o l’indirizzo contiene un errore.',
    start: 'Torna all’inizio',
    tooManyTitle: 'Troppe richieste',
    tooMany: 'Ci sono state troppe richieste in poco tempo. Attenda un minuto e riprovi.',
    failedTitle: 'Qualcosa è andato storto',
    failed: 'Al momento non è possibile mostrare questa pagina. Riprovi tra qualche minuto.',
    reference: 'Riferimento: {id}',
  },
  pt: {
    missingTitle: 'Página não encontrada',
    missing: 'Não há nenhuma página neste endereço. Pode ter mudado de lugar ou o endereço pode ter um erro.',
    start: 'Voltar ao início',
    tooManyTitle: 'Demasiados pedidos',
    tooMany: 'Houve demasiados pedidos em pouco tempo. Aguarde um minuto e tente novamente.',
    failedTitle: 'Algo correu mal',
    failed: 'De momento, não é possível mostrar esta página. Tente novamente dentro de alguns minutos.',
    reference: 'Referência: {id}',
  },
  nl: {
    missingTitle: 'Pagina niet gevonden',
    missing: 'Op dit adres staat geen pagina. Misschien is die verplaatst, of zit er een fout in het adres.',
    start: 'Terug naar het begin',
    tooManyTitle: 'Te veel verzoeken',
    tooMany: 'Dit is in korte tijd te vaak opgevraagd. Wacht een minuut en probeer het dan opnieuw.',
    failedTitle: 'Er is iets misgegaan',
    failed: 'Deze pagina kan nu niet worden getoond. Probeer het over enkele minuten opnieuw.',
    reference: 'Referentie: {id}',
  },
  pl: {
    missingTitle: 'Nie znaleziono strony',
    missing: 'Pod tym adresem nie ma strony. Mogła zostać przeniesiona albo w adresie jest błąd.',
    start: 'Wróć na stronę główną',
    tooManyTitle: 'Zbyt wiele żądań',
    tooMany: 'W krótkim czasie było zbyt wiele żądań. Proszę poczekać minutę i spróbować ponownie.',
    failedTitle: 'Coś poszło nie tak',
    failed: 'Tej strony nie można teraz wyświetlić. Proszę spróbować ponownie za kilka minut.',
    reference: 'Numer zgłoszenia: {id}',
  },
  ja: {
    missingTitle: 'ページが見つかりません',
    missing: 'このアドレスにページはありません。移動したか、アドレスに誤りがある可能性があります。',
    start: '最初のページに戻る',
    tooManyTitle: 'リクエストが多すぎます',
    tooMany: '短い時間にリクエストが集中しました。1分ほど待ってから、もう一度お試しください。',
    failedTitle: '問題が発生しました',
    failed: '現在このページを表示できません。数分後にもう一度お試しください。',
    reference: '参照番号：{id}',
  },
  ar: {
    missingTitle: 'الصفحة غير موجودة',
    missing: 'لا توجد صفحة على هذا العنوان. ربما نُقلت، أو في العنوان خطأ.',
    start: 'العودة إلى البداية',
    tooManyTitle: 'طلبات كثيرة جدًا',
    tooMany: 'وصلت طلبات كثيرة في وقت قصير. انتظر دقيقة ثم حاول مرة أخرى.',
    failedTitle: 'حدث خطأ ما',
    failed: 'لا يمكن عرض هذه الصفحة الآن. حاول مرة أخرى بعد بضع دقائق.',
    reference: 'الرقم المرجعي: {id}',
  },
};

export const refusalTexts: PageTexts<RefusalTexts> = pageTexts(builtIn);
