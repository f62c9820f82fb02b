import type { AlertTexts } from './alert-texts.ts';

export const nl: AlertTexts = {
  more: 'en nog {count}',
  soon: 'binnenkort',
  lastFailure: 'Laatste mislukking: {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'De webhook {name} is uitgeschakeld.',
      '{count} webhooks zijn uitgeschakeld.',
      'Leveringen worden vastgehouden. Herstel de ontvanger en schakel hem dan in.',
    ],
    'endpoint.disable_soon': [
      'De webhook {name} wordt binnen 24 uur uitgeschakeld als hij blijft falen.',
      '{count} webhooks worden binnen 24 uur uitgeschakeld als ze blijven falen.',
      'Herstel de ontvanger, of stuur een testgebeurtenis.',
    ],
    'endpoint.failing': [
      'De webhook {name} faalt.',
      '{count} webhooks falen.',
      'Leveringen wachten en worden opnieuw geprobeerd. Controleer de ontvanger.',
    ],
    'endpoint.silent': [
      'De webhook {name} heeft 24 uur niets ontvangen.',
      '{count} webhooks hebben 24 uur niets ontvangen.',
      'Er wachten gebeurtenissen. Of het verzenden is gepauzeerd, of het programma dat erom vraagt is gestopt.',
    ],
    'endpoint.recovered': ['De webhook {name} ontvangt weer.', '{count} webhooks ontvangen weer.', ''],
    'endpoint.enabled': ['De webhook {name} is ingeschakeld.', '{count} webhooks zijn ingeschakeld.', ''],
    'delivery.exhausted': [
      'Leveringen aan de webhook {name} zijn opgegeven: {total}.',
      'Leveringen aan {count} webhooks zijn opgegeven: {total}.',
      'Herstel de ontvanger en stuur dan opnieuw wat mislukte.',
    ],
    'delivery.expired': [
      'Leveringen aan de webhook {name} zijn verlopen: {total}.',
      'Leveringen aan {count} webhooks zijn verlopen: {total}.',
      'Als u de gebeurtenissen nog nodig hebt, stuur hun periode opnieuw.',
    ],
    'due_command.refused': [
      'Een geplande stap van het object {name} is geweigerd.',
      'Geplande stappen van {count} objecten zijn geweigerd.',
      'Controleer het object.',
    ],
    'secret.expires_soon': [
      'De toegang van de API-sleutel {name} eindigt {when}.',
      'De toegang van {count} API-sleutels eindigt {when}.',
      'Vervang het geheim, of geef de sleutel een later einde.',
    ],
    'secret.rotated': [
      'Het geheim van de webhook {name} is vervangen.',
      'De geheimen van {count} webhooks zijn vervangen.',
      'Uw ontvanger moet met het nieuwe controleren. Als niemand van u dit deed, vervang het opnieuw.',
    ],
    'key.added': [
      'De API-sleutel {name} is toegevoegd.',
      '{count} API-sleutels zijn toegevoegd.',
      'Als niemand van u dit deed, schakel hem uit.',
    ],
    'key.changed': [
      'De API-sleutel {name} is gewijzigd.',
      '{count} API-sleutels zijn gewijzigd.',
      'Als niemand van u dit deed, schakel hem uit.',
    ],
    'account.changed': [
      'Het adres voor meldingen is gewijzigd.',
      'Het adres voor meldingen is gewijzigd.',
      'Als niemand van u dit deed, stel het dan opnieuw in.',
    ],
    'key.unused': [
      'De API-sleutel {name} is 90 dagen niet gebruikt.',
      '{count} API-sleutels zijn 90 dagen niet gebruikt.',
      'Verwijder wat u niet nodig hebt.',
    ],
    'sending.paused': [
      'Het platform pauzeert het verzenden naar {name}.',
      'Het platform pauzeert het verzenden naar {count} ontvangers.',
      'Leveringen wachten en verbruiken geen poging.',
    ],
    'sending.resumed': [
      'Het platform verzendt weer naar {name}.',
      'Het platform verzendt weer naar {count} ontvangers.',
      '',
    ],
  },
};
