import type { AlertTexts } from './alert-texts.ts';

export const es: AlertTexts = {
  more: 'y {count} más',
  soon: 'pronto',
  lastFailure: 'Último fallo: {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'El webhook {name} está desactivado.',
      '{count} webhooks están desactivados.',
      'Los envíos se retienen. Repare el receptor y actívelo después.',
    ],
    'endpoint.disable_soon': [
      'El webhook {name} se desactivará en 24 horas si sigue fallando.',
      '{count} webhooks se desactivarán en 24 horas si siguen fallando.',
      'Repare el receptor o envíe un evento de prueba.',
    ],
    'endpoint.failing': [
      'El webhook {name} falla.',
      '{count} webhooks fallan.',
      'Los envíos esperan y se intentan de nuevo. Compruebe el receptor.',
    ],
    'endpoint.silent': [
      'El webhook {name} no ha recibido nada en 24 horas.',
      '{count} webhooks no han recibido nada en 24 horas.',
      'Hay eventos en espera. O el envío está pausado, o el programa que los pide se ha detenido.',
    ],
    'endpoint.recovered': ['El webhook {name} vuelve a recibir.', '{count} webhooks vuelven a recibir.', ''],
    'endpoint.enabled': ['El webhook {name} está activado.', '{count} webhooks están activados.', ''],
    'delivery.exhausted': [
      'Se abandonaron envíos al webhook {name}: {total}.',
      'Se abandonaron envíos a {count} webhooks: {total}.',
      'Repare el receptor y envíe de nuevo lo que falló.',
    ],
    'delivery.expired': [
      'Caducaron envíos al webhook {name}: {total}.',
      'Caducaron envíos a {count} webhooks: {total}.',
      'Si aún necesita los eventos, envíe de nuevo su periodo.',
    ],
    'due_command.refused': [
      'Se rechazó un paso previsto del objeto {name}.',
      'Se rechazaron pasos previstos de {count} objetos.',
      'Revise el objeto.',
    ],
    'secret.expires_soon': [
      'El acceso de la clave de API {name} termina {when}.',
      'El acceso de {count} claves de API termina {when}.',
      'Renueve el secreto o dé a la clave un final posterior.',
    ],
    'secret.rotated': [
      'El secreto del webhook {name} fue reemplazado.',
      'Los secretos de {count} webhooks fueron reemplazados.',
      'Su receptor debe verificar con el nuevo. Si no fue nadie de los suyos, renuévelo otra vez.',
    ],
    'key.added': [
      'Se añadió la clave de API {name}.',
      'Se añadieron {count} claves de API.',
      'Si no fue nadie de los suyos, desactívela.',
    ],
    'key.changed': [
      'Se modificó la clave de API {name}.',
      'Se modificaron {count} claves de API.',
      'Si no fue nadie de los suyos, desactívela.',
    ],
    'account.changed': [
      'La dirección de las alertas ha cambiado.',
      'La dirección de las alertas ha cambiado.',
      'Si no lo hizo nadie de su equipo, defínala de nuevo.',
    ],
    'key.unused': [
      'La clave de API {name} no se usa desde hace 90 días.',
      '{count} claves de API no se usan desde hace 90 días.',
      'Elimine lo que no necesite.',
    ],
    'sending.paused': [
      'La plataforma pausa el envío a {name}.',
      'La plataforma pausa el envío a {count} destinatarios.',
      'Los envíos esperan y no consumen ningún intento.',
    ],
    'sending.resumed': [
      'La plataforma ha reanudado el envío a {name}.',
      'La plataforma ha reanudado el envío a {count} destinatarios.',
      '',
    ],
  },
};
