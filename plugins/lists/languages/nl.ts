// The texts of lists in Dutch.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const dutch: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.nl,
    email: 'E-mail',
    name: 'Naam',
    consent:
      'U stemt ermee in om ‘{list}’ per e-mail te ontvangen. We vragen u eerst per e-mail om een bevestiging, en u kunt zich altijd afmelden.',
    button: 'Abonneren',
    sentTitle: 'Kijk in uw inbox',
    sent: 'We hebben u een e-mail gestuurd. Klik op de knop daarin om uw aanmelding te bevestigen.',
    sentHint: 'Niets ontvangen? Kijk in de map met spam. Als u al bent aangemeld, krijgt u geen tweede e-mail.',
  },
  confirm: {
    title: 'Bevestig uw aanvraag',
    question: 'Bevestig dat u deze e-mails wilt ontvangen.',
    about: 'Bevestig dat u ‘{list}’ hebt aangevraagd met het adres {email}.',
    button: 'Bevestigen',
    doneTitle: 'Dank u wel',
    done: 'Dit is bevestigd. U kunt deze pagina sluiten.',
    doneAbout: '‘{list}’ is bevestigd voor {email}. U kunt deze pagina sluiten.',
    doneHint: 'Links zijn 30 dagen geldig. Was die van u ouder, meld u dan opnieuw aan.',
  },
  leadMagnet: { text: 'Hier is wat u hebt aangevraagd:', button: 'Openen', validity: 'De link is 7 dagen geldig.' },
  preferences: {
    title: 'E-mailvoorkeuren',
    lists: 'Uw abonnementen',
    topics: 'Waar onze e-mails over gaan',
    save: 'Opslaan',
    saved: 'Opgeslagen.',
    stopTitle: 'Geen reclame meer',
    stopNote: 'U krijgt geen reclame meer van ons. Andere e-mails, zoals bonnen, blijven komen.',
    stopNoteWithLists:
      'U krijgt geen reclame meer van ons, wat u hierboven ook koos. Andere e-mails, zoals bonnen, blijven komen.',
    stop: 'Geen reclame meer',
    stopped: 'U krijgt geen reclame meer van ons.',
    stoppedWithLists: 'U krijgt geen reclame meer van ons. Uw keuze hier geldt als u later weer reclame wilt.',
    all: {
      stopTitle: 'Geen e-mails meer',
      stopNote: 'U krijgt geen enkele e-mail meer van ons.',
      stopNoteWithLists: 'U krijgt geen enkele e-mail meer van ons, wat u hierboven ook koos.',
      stop: 'Afmelden voor alle e-mails',
      stopped: 'U krijgt geen e-mails meer van ons.',
      stoppedWithLists: 'U krijgt geen e-mails meer van ons. Uw keuze hier geldt als u later weer e-mails wilt.',
    },
    incomplete: { title: 'Onvolledige link', text: 'Deze link is onvolledig. Kopieer hem helemaal uit de e-mail.' },
  },
  invalidLink: {
    title: 'Hier is niets',
    text: 'De link is onvolledig, of de pagina bestaat niet meer. Kopieer de hele link, of vraag het aan de afzender.',
  },
  mail: {
    subject: 'Bevestig uw aanvraag: {list}',
    preview: 'Eén klik is genoeg.',
    title: 'Bevestig uw aanvraag',
    greeting: 'Beste {name},',
    request: 'U, of iemand met uw adres, heeft zich aangemeld voor {list}. Bevestig dat u dit wilt.',
    button: 'Bevestigen',
    ignore: 'Was u dit niet? Dan kunt u deze e-mail negeren; u hoort niet meer van ons. De link is 30 dagen geldig.',
  },
};
