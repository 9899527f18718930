// The texts of lists in Italian.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const italian: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.it,
    email: 'Email',
    name: 'Nome',
    consent:
      'Accetta di ricevere «{list}» per email. Prima le invieremo un’email di conferma e potrà disiscriversi in qualsiasi momento.',
    button: 'Iscriviti',
    sentTitle: 'Controlli la posta',
    sent: 'Le abbiamo inviato un’email. Prema il pulsante per confermare l’iscrizione.',
    sentHint: 'Non è arrivata? Guardi nella cartella dello spam. Se è già iscritto, non riceverà un’altra email.',
  },
  confirm: {
    title: 'Confermi la richiesta',
    question: 'Confermi di voler ricevere queste email.',
    about: 'Confermi di aver richiesto «{list}» con l’indirizzo {email}.',
    button: 'Conferma',
    doneTitle: 'Grazie',
    done: 'È confermato. Può chiudere questa pagina.',
    doneAbout: '«{list}» è confermato per {email}. Può chiudere questa pagina.',
    doneHint: 'I link valgono 30 giorni. Se il suo era più vecchio, si iscriva di nuovo.',
  },
  leadMagnet: { text: 'Ecco quello che ha richiesto:', button: 'Apri', validity: 'Il link vale 7 giorni.' },
  preferences: {
    title: 'Preferenze email',
    lists: 'Le sue iscrizioni',
    topics: 'Di che cosa parlano le nostre email',
    save: 'Salva',
    saved: 'Salvato.',
    stopTitle: 'Non ricevere più pubblicità',
    stopNote: 'Non riceverà più pubblicità da noi. Altre email, come le ricevute, continueranno ad arrivare.',
    stopNoteWithLists:
      'Non riceverà più pubblicità da noi, qualunque sia la scelta qui sopra. Altre email, come le ricevute, continueranno ad arrivare.',
    stop: 'Basta pubblicità',
    stopped: 'Non riceverà più pubblicità da noi.',
    stoppedWithLists: 'Non riceverà più pubblicità da noi. La scelta fatta qui vale se in futuro ne vorrà ancora.',
    all: {
      stopTitle: 'Non ricevere più email',
      stopNote: 'Non riceverà più alcuna email da noi.',
      stopNoteWithLists: 'Non riceverà più alcuna email da noi, qualunque sia la scelta qui sopra.',
      stop: 'Annulla l’iscrizione a tutte le email',
      stopped: 'Non riceverà più email da noi.',
      stoppedWithLists: 'Non riceverà più email da noi. La scelta fatta qui vale se in futuro ne vorrà ancora.',
    },
    incomplete: { title: 'Link incompleto', text: 'Questo link è incompleto. Lo copi per intero dall’email.' },
  },
  invalidLink: {
    title: 'Qui non c’è nulla',
    text: 'Il link è incompleto o la pagina non esiste più. Copi il link per intero o chieda al mittente.',
  },
  mail: {
    subject: 'Confermi la richiesta: {list}',
    preview: 'Basta un clic.',
    title: 'Confermi la richiesta',
    greeting: 'Buongiorno {name},',
    request: 'Lei, o qualcuno con il suo indirizzo, si è iscritto a {list}. Confermi di volerlo.',
    button: 'Conferma',
    ignore: 'Se non è stato lei, può ignorare questa email: non le scriveremo più. Il link vale 30 giorni.',
  },
};
