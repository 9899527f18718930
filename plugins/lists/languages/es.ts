// The texts of lists in Spanish.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const spanish: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.es,
    email: 'Correo electrónico',
    name: 'Nombre',
    consent:
      'Acepta recibir «{list}» por correo. Primero le enviaremos un correo para confirmarlo y podrá darse de baja cuando quiera.',
    button: 'Suscribirse',
    sentTitle: 'Revise su bandeja de entrada',
    sent: 'Le hemos enviado un correo. Pulse su botón para confirmar la suscripción.',
    sentHint: '¿No ha llegado? Mire en la carpeta de spam. Si ya está suscrito, no recibirá otro correo.',
  },
  confirm: {
    title: 'Confirme su solicitud',
    question: 'Confirme que quiere recibir estos correos.',
    about: 'Confirme que ha pedido «{list}» con la dirección {email}.',
    button: 'Confirmar',
    doneTitle: 'Gracias',
    done: 'Está confirmado. Puede cerrar esta página.',
    doneAbout: '«{list}» está confirmado para {email}. Puede cerrar esta página.',
    doneHint: 'Los enlaces valen 30 días. Si el suyo era más antiguo, vuelva a inscribirse.',
  },
  leadMagnet: { text: 'Aquí tiene lo que pidió:', button: 'Abrir', validity: 'El enlace vale 7 días.' },
  preferences: {
    title: 'Preferencias de correo',
    lists: 'Sus suscripciones',
    topics: 'De qué tratan nuestros correos',
    save: 'Guardar',
    saved: 'Guardado.',
    stopTitle: 'No recibir más publicidad',
    stopNote: 'No recibirá más publicidad nuestra. Otros correos, como los recibos, seguirán llegando.',
    stopNoteWithLists:
      'No recibirá más publicidad nuestra, sea cual sea su elección arriba. Otros correos, como los recibos, seguirán llegando.',
    stop: 'No más publicidad',
    stopped: 'No recibirá más publicidad nuestra.',
    stoppedWithLists: 'No recibirá más publicidad nuestra. Su elección aquí valdrá si vuelve a quererla más adelante.',
    all: {
      stopTitle: 'No recibir más correos',
      stopNote: 'No recibirá más correos nuestros, de ningún tipo.',
      stopNoteWithLists: 'No recibirá más correos nuestros, de ningún tipo, sea cual sea su elección arriba.',
      stop: 'Darse de baja de todos los correos',
      stopped: 'No recibirá más correos nuestros.',
      stoppedWithLists: 'No recibirá más correos nuestros. Su elección aquí valdrá si vuelve a quererlos más adelante.',
    },
    incomplete: { title: 'Enlace incompleto', text: 'Este enlace está incompleto. Cópielo entero del correo.' },
  },
  invalidLink: {
    title: 'Aquí no hay nada',
    text: 'El enlace está incompleto o la página ya no existe. Copie el enlace entero o pregunte al remitente.',
  },
  mail: {
    subject: 'Confirme su solicitud: {list}',
    preview: 'Un clic y queda confirmado.',
    title: 'Confirme su solicitud',
    greeting: 'Hola, {name}:',
    request: 'Usted, o alguien con su dirección, se ha inscrito en {list}. Confirme que lo quiere.',
    button: 'Confirmar',
    ignore: 'Si no fue usted, puede ignorar este correo: no volveremos a escribirle. El enlace vale 30 días.',
  },
};
