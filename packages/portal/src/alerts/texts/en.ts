import type { AlertTexts } from './alert-texts.ts';

export const en: AlertTexts = {
  more: 'and {count} more',
  soon: 'soon',
  lastFailure: 'Last failure: {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'The webhook {name} is disabled.',
      '{count} webhooks are disabled.',
      'Deliveries are held. Repair the receiver, then enable it.',
    ],
    'endpoint.disable_soon': [
      'The webhook {name} is disabled within 24 hours if it goes on failing.',
      '{count} webhooks are disabled within 24 hours if they go on failing.',
      'Repair the receiver, or send a test event.',
    ],
    'endpoint.failing': [
      'The webhook {name} fails.',
      '{count} webhooks fail.',
      'Deliveries wait and are tried again. Check the receiver.',
    ],
    'endpoint.silent': [
      'The webhook {name} has received nothing for 24 hours.',
      '{count} webhooks have received nothing for 24 hours.',
      'Events wait. Either sending is paused, or the program that asks for them has stopped.',
    ],
    'endpoint.recovered': ['The webhook {name} delivers again.', '{count} webhooks deliver again.', ''],
    'endpoint.enabled': ['The webhook {name} is enabled.', '{count} webhooks are enabled.', ''],
    'delivery.exhausted': [
      'Deliveries to the webhook {name} were given up: {total}.',
      'Deliveries to {count} webhooks were given up: {total}.',
      'Repair the receiver, then send what failed again.',
    ],
    'delivery.expired': [
      'Deliveries to the webhook {name} expired: {total}.',
      'Deliveries to {count} webhooks expired: {total}.',
      'If you still need the events, send their period again.',
    ],
    'due_command.refused': [
      'A due step of the object {name} was refused.',
      'Due steps of {count} objects were refused.',
      'Look at the object.',
    ],
    'secret.expires_soon': [
      'The access of the API key {name} ends {when}.',
      'The access of {count} API keys ends {when}.',
      'Rotate the secret, or give the key a later end.',
    ],
    'secret.rotated': [
      'The secret of the webhook {name} was replaced.',
      'The secrets of {count} webhooks were replaced.',
      'Your receiver must verify with the new secret. If nobody of yours did this, rotate it again.',
    ],
    'key.added': [
      'The API key {name} was added.',
      '{count} API keys were added.',
      'If nobody of yours did this, disable it.',
    ],
    'key.changed': [
      'The API key {name} was changed.',
      '{count} API keys were changed.',
      'If nobody of yours did this, disable it.',
    ],
    'account.changed': [
      'The address for alerts was changed.',
      'The address for alerts was changed.',
      'If nobody of yours did this, set it again.',
    ],
    'key.unused': [
      'The API key {name} has not been used for 90 days.',
      '{count} API keys have not been used for 90 days.',
      'Delete what you do not need.',
    ],
    'sending.paused': [
      'The platform pauses sending to {name}.',
      'The platform pauses sending to {count} recipients.',
      'Deliveries wait, and use up no attempt.',
    ],
    'sending.resumed': [
      'The platform has resumed sending to {name}.',
      'The platform has resumed sending to {count} recipients.',
      '',
    ],
  },
};
