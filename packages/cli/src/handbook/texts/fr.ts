import type { Catalogue } from './catalogue.ts';
import { frenchCodes } from './french-codes.ts';
import { frenchPages } from './french-pages.ts';
import { frenchStart } from './french-start.ts';

/** The texts of the pages in French. Words in braces are values. */
export const fr: Catalogue = {
  'duration.none': 'tout de suite',
  'label.yes': 'oui',
  'label.deprecated': 'Obsolète.',
  'head.field': 'Champ',
  'head.type': 'Type',
  'head.required': 'Obligatoire',
  'head.always': 'Toujours présent',
  'head.parameter': 'Paramètre',
  'head.meaning': 'Signification',
  'head.operation': 'Opération',
  'head.effect': 'Effet',
  'head.right': 'Droit',
  'head.takes': 'Accepte',
  'head.values': 'Valeurs',
  'head.default': 'Par défaut',
  'head.situation': 'Situation',
  'head.word': 'Mot',
  'head.state': 'État',
  'head.from': 'Depuis',
  'head.to': 'Vers',
  'head.books': 'Enregistre de l’argent',
  'head.step': 'Étape',
  'head.request': 'Requête',
  'head.body': 'Corps',
  'head.id': 'Son `id`',
  'head.event': 'Événement',
  'head.header': 'En-tête',
  'head.content': 'Contenu',
  'head.answer': 'Votre réponse',
  'head.reaction': 'Réaction de {name}',
  'head.attempt': 'Tentative',
  'head.after': 'Après la tentative précédente',
  'head.since': 'Depuis la première tentative',
  'head.limit': 'Limite',
  'head.value': 'Valeur',
  'head.status': 'Statut',
  'head.code': 'Code',
  'head.remedy': 'Signification et remède',
  'head.part': 'Élément',
  'head.change': 'Changement',
  'kind.text': 'texte',
  'kind.number': 'nombre',
  'kind.integer': 'nombre entier',
  'kind.boolean': 'vrai ou faux',
  'kind.object': 'objet',
  'kind.date': 'date, `AAAA-MM-JJ`',
  'kind.any': 'quelconque',
  'kind.list': 'liste de : {of}',
  'kind.values': 'l’une de ces valeurs : {values}',
  'kind.values-at': 'l’une de [ces valeurs]({place})',
  written:
    'Écrit par `partnerkit handbook`. Ne changez que le texte à l’intérieur d’un emplacement : la prochaine exécution le garde.',
  'handbook.title': '{name} : manuel pour les partenaires',
  'handbook.description': 'Comment appeler l’API de {name}, et comment recevoir ses webhooks.',
  answered: 'La réponse :',
  words:
    'Dans les exemples, `$CLIENT_ID` et d’autres mots en capitales représentent vos valeurs. `$ACCOUNT_ID` est `{organisationId}` dans les chemins.',

  'operations.title': 'Opérations',
  'operations.description': 'Toutes les requêtes que l’API accepte.',
  'operations.intro':
    'Tous les chemins commencent par `{origin}`. Chaque requête demande un [jeton d’accès]({login}). Les corps sont en JSON et en UTF-8. Un [code]({errors}) dit pourquoi une requête a été refusée.',
  'operations.repeat': 'Répéter une requête',
  'operations.repeat-text':
    'Envoyez un en-tête `Idempotency-Key` avec une opération qui l’accepte : de 1 à 255 caractères ASCII visibles, par exemple un UUID. Après une connexion perdue ou une réponse 503, envoyez la même requête avec la même clé. Elle prend effet une seule fois, et sa réponse est la première, sans marque.\n\n- La même requête a le même chemin et la même valeur JSON. Les blancs et l’ordre des champs ne comptent pas. Une autre requête avec la clé reçoit 422 `idempotency_conflict`.\n- Une clé appartient à une seule clé d’API et à un seul compte, pendant 24 heures.\n- Un refus n’enregistre pas la clé : corrigez la requête, et envoyez-la avec la même clé. Dans un lot, un élément refusé garde son résultat.',
  'operations.repeat-late':
    'Après 24 heures, cherchez d’abord : listez les objets avec votre `reference`. Donnez donc à chaque objet une `reference` qui est la vôtre.',
  'operations.repeat-late-read': 'Après 24 heures, listez ce qui existe avant de répéter une requête.',
  'operations.webhooks':
    'Un secret n’est que dans une seule réponse : la première à la création d’un webhook, ou à une rotation. Si vous l’avez perdu, préparez et activez-en un autre. [Webhooks par programme]({webhooks}) dit quelle opération convient.',
  'operations.versions': 'Versions',
  'operations.versions-text':
    'L’en-tête `ETag` d’une réponse nomme la version de l’objet ; ses guillemets en font partie. Envoyez-le comme `If-Match` avec une opération qui l’accepte : si l’objet a changé entre-temps, la réponse est 412 et rien ne change. Sans `If-Match`, le changement s’applique à la version actuelle.',
  'operations.versions-commands':
    'Une commande qui accepte un montant le nomme, ou envoie `If-Match` : sinon, la réponse est 428 `version_required`. Chaque entrée d’un historique a la `version` qui la suit. Un changement qui ne change rien garde l’`ETag`, et n’envoie aucun événement.',
  'operations.created':
    'La réponse à une création nomme le chemin du nouvel objet dans `Location`, et sa version dans `ETag`.',
  'operations.no-repeat':
    'D’autres opérations n’ont pas d’`Idempotency-Key` dans leur tableau. Après une connexion perdue ou une réponse 503, lisez avant de répéter un POST : il a peut-être pris effet. Un PATCH et un DELETE peuvent être répétés.',
  'operations.cached':
    'Une lecture accepte la version que vous avez comme `If-None-Match`. Si c’est encore la version actuelle, la réponse est 304, sans corps.',
  'operations.lists': 'Listes',
  'operations.lists-text':
    'Une liste répond `{ "items": […], "next": "…" }`. Tant qu’il y a un `next`, envoyez-le comme `after`, avec les mêmes autres paramètres, pour lire la page suivante. Une page reprend après le dernier objet de la page précédente, et les nouveaux objets ne la déplacent pas. Un paramètre inconnu reçoit 400 `invalid_query`. Les paramètres des listes :',
  'operations.lists-pull':
    'Les événements d’un webhook `pull` ont toujours un `next` : continuez tant que `hasMore` vaut `true`, comme le montre [Webhooks par programme]({webhooks}).',
  'operations.only': 'Dans l’état {last}, seuls ces champs peuvent changer : {fields}.',
  'operations.only-some': 'Dans l’état {states} ou {last}, seuls ces champs peuvent changer : {fields}.',
  'operations.takes': '- {operation} accepte {parameters}.',
  'operations.input': 'Le corps de {operations} :',
  'operations.outputs': 'Réponses',
  'operations.outputs-text': 'Pour une liste, le tableau montre un élément de `items`.',
  'operations.output': 'La réponse de {operations} :',
  'operations.within': 'Un objet [{object}]({place}).',
  'operations.within-answer': 'Un objet comme dans la réponse de {operations}.',
  'operations.answers': 'La réponse de {operations} a des champs de [{object}]({place}).',
  'operations.example': 'Exemple : `{operation}`',

  'objects.title': 'Objets',
  'objects.description': 'Tous les objets que les webhooks envoient, avec leurs champs.',
  'objects.intro':
    'Un webhook envoie l’état d’un objet dans `data`. `id` est toujours présent. Un champ sans valeur est absent. Ignorez les champs que vous ne connaissez pas : {name} peut en ajouter.',
  'objects.sent': 'Ses événements : {events}.',
  'objects.values': 'L’une de ces valeurs : {values}.',
  'objects.only': 'Seulement dans {events}.',
  'objects.open': 'Le corps a la forme que montre [Événements]({events}).',

  'events.title': 'Événements',
  'events.description': 'Tous les événements, avec un exemple de ce qu’ils envoient.',
  'events.intro':
    'Un webhook reçoit les types d’événements qu’il a choisis, de son compte. S’il inclut les comptes enfants, il reçoit aussi les leurs.',
  'events.intro-api':
    'Un webhook reçoit les types d’événements qu’il a choisis, de son compte. Avec `includeChildren`, il reçoit aussi ceux des comptes enfants directs ; par défaut, non.',
  'events.choose': 'Il choisit un type de tous les objets, comme {type}, ou d’un seul, comme {example}.',
  'events.envelope': 'Le corps',
  'events.envelope-text': 'Chaque requête a ce corps :',
  'events.timestamp':
    'Met en ordre les événements d’un même objet, en secondes depuis 1970. Il vaut au moins le moment de l’événement, augmente de 1 ou plus à chaque événement de l’objet, et peut être en avance de 60 secondes au plus sur votre horloge.',
  'events.timestamp-iso':
    'Met en ordre les événements d’un même objet (RFC 3339). Il vaut au moins le moment de l’événement, et augmente à chaque événement de l’objet.',
  'events.data': 'L’objet : voir [Objets]({objects}).',
  'events.object-name': 'Le nom du type d’objet, comme `Lease`.',
  'events.type': 'Le type de l’événement.',
  'events.pair': 'Le nom du type d’objet, un point, et le type de l’événement.',
  'events.own-envelope': 'Les exemples montrent la forme du corps.',
  'events.unknown': 'De nouveaux types peuvent s’ajouter. Répondez 204 à un type que vous ne connaissez pas.',
  'events.test': 'Le `data.id` d’un événement de test commence par `test_`. Un tel objet n’existe pas.',
  'events.order':
    'Un événement peut arriver deux fois, et après un événement plus récent. Avant de traiter un événement, regardez si vous avez déjà enregistré {key}. Enregistrez cela dans la transaction de votre propre changement.',
  'events.late':
    'Gardez le `timestamp` de l’événement le plus récent de chaque objet. Un événement plus ancien décrit un état antérieur : enregistrez-le, répondez 204, et n’écrasez pas ce qui est plus récent.',
  'events.late-other':
    'Gardez l’heure de l’événement le plus récent de chaque objet. Un événement plus ancien décrit un état antérieur : enregistrez-le, répondez 204, et n’écrasez pas ce qui est plus récent.',
  'events.held-back':
    'Quand un objet change vite, son `timestamp` prend de l’avance sur l’horloge. Un événement attend tant qu’il a plus de 60 secondes d’avance : il en arrive alors environ un par seconde.',
  'events.account':
    'L’enveloppe ne nomme pas le compte. Avec des événements de comptes enfants, prenez-le dans l’objet, ou dans `childAccountId` de la liste des événements.',
  'events.key': '`objectName`, `data.id`, `type` et `timestamp`',
  'events.key-pair': '`data.id`, `type` et `timestamp`',
  'events.key-other': 'l’identifiant de l’événement',
  'events.sample': 'Exemple de {events} :',
  'events.same-fields': 'Ces événements envoient les mêmes champs : {events}.',

  'signature.title': 'Vérifier une signature',
  'signature.description': 'Comment savoir qu’un webhook vient de {name}.',
  'signature.intro':
    'N’importe qui peut envoyer une requête à votre adresse. La signature prouve que {name} l’a envoyée, et que personne ne l’a changée. Vérifiez-la avant toute autre chose.',
  'signature.rules':
    '1. Lisez les **octets** du corps tels qu’ils sont arrivés, avant tout analyseur JSON.\n2. Contrôlez la signature, comme montré ci-dessous. Comparez en temps constant.\n3. Si elle diffère, ou si elle manque, répondez 401 et ne faites rien.\n4. Analysez le JSON. Si vous avez déjà traité l’événement, répondez 204.\n5. Enregistrez votre changement et la clé de l’événement dans une seule transaction. Répondez 204.',
  'signature.several': 'Chaque requête porte ces signatures. Chacune de celles que vous vérifiez doit être valable.',
  'signature.optional':
    'Seuls les webhooks avec `standardWebhooks` ont ces en-têtes. Le texte signé est `webhook-id`, un point, `webhook-timestamp`, un point, et le corps. La clé est le secret sans `whsec_`, décodé de Base64. `webhook-signature` peut contenir plusieurs signatures séparées par des espaces : acceptez-en une qui correspond.',
  'signature.rotation':
    'Pendant la rotation d’un secret, vérifiez avec l’actuel et avec le nouveau, et acceptez une requête qui correspond à l’un d’eux. L’actuel signe jusqu’à l’activation du nouveau.',
  'signature.age': 'L’âge d’un message',
  'signature.age-untimed':
    'Une signature sans heure reste valable : un ancien message peut vous être renvoyé par un tiers. Sa clé vous protège : un événement déjà traité reçoit 204, et n’a aucun effet. Refusez avec 401 un `timestamp` de plus de {days} jours : {name} n’envoie aucun événement plus tard.',
  'signature.age-timed':
    'Une signature avec une heure est refaite à chaque tentative : refusez-en une dont l’heure diffère de votre horloge de plus de 5 minutes.',
  'signature.age-keys':
    'Gardez les clés des événements traités pendant {days} jours : pendant ce temps, un événement peut être renvoyé.',
  'signature.key-secret': 'La clé est le secret du webhook, qui commence par `whsec_`.',
  'signature.key-public':
    '{name} signe avec une clé qui est la sienne. Ses clés publiques sont à l’adresse `{url}`. `webhook-id` finit par `_` et l’identifiant de votre webhook : refusez tout autre.',
  'signature.time': 'Refusez une requête dont l’heure diffère de votre horloge de plus de 5 minutes.',
  'signature.until': 'Elle prend fin le {date} : à partir de là, elle n’est plus envoyée.',
  'signature.vector': 'Un vecteur de test',
  'signature.vector-text':
    'Votre code est juste s’il accepte cette requête, et la refuse dès qu’un caractère du corps est changé. La clé sert à des démonstrations.',
  'signature.vector-secret': 'Secret : `{secret}`',
  'signature.vector-public': 'Clé publique : `{key}`. Identifiant du webhook : `{endpoint}`.',
  'signature.vector-time':
    'L’heure du vecteur est passée : pour ce test, prenez `{time}` pour l’heure de votre horloge.',
  'signature.code': 'Code',
  'signature.no-code': 'Contrôlez la signature comme le dit le tableau, et testez votre code avec le vecteur.',
  'signature.find': 'Quand une signature est incorrecte',
  'signature.find-text':
    'Enregistrez la requête et ses en-têtes dans un fichier, et lancez `npx @partnerkit/cli verify request.txt` avec votre secret dans `WEBHOOK_SECRET` : la commande nomme la cause. Les causes habituelles : le JSON a été analysé et récrit ; le secret a été coupé, décodé ou mis entre guillemets ; le framework a changé l’encodage du corps.',

  'retries.title': 'Nouvelles tentatives et limites',
  'retries.description': 'Ce que {name} fait après chaque réponse, et les limites en vigueur.',
  'retries.answers': 'Réponses',
  'retries.answers-text': 'Répondez en {deadline} au plus. Répondez d’abord ; lancez ensuite les traitements longs.',
  'retries.done': 'L’événement est livré. Il n’est plus envoyé.',
  'retries.gone': 'Le webhook est désactivé. Plus rien n’est envoyé.',
  'retries.pause': 'Rien n’est envoyé au webhook pendant ce temps, {longest} au plus.',
  'retries.pause-answer': '429 ou 503 avec `Retry-After`',
  'retries.none': 'tout autre statut, une redirection, ou aucune réponse',
  'retries.again': 'L’événement est envoyé de nouveau : voir ci-dessous.',
  'retries.schedule': 'Nouvelles tentatives',
  'retries.schedule-text':
    'Chaque événement est envoyé au plus {attempts} fois. Un décalage aléatoire de 10 % au plus s’ajoute à chaque délai, pour que les nouvelles tentatives n’arrivent pas toutes à la fois.',
  'retries.exhausted':
    'Après la dernière tentative, l’événement reste dans l’interface web de {name}, d’où il peut être envoyé de nouveau pendant {stored}.',
  'retries.exhausted-api':
    'Après la dernière tentative, l’événement peut être renvoyé pendant {stored} : voir [Webhooks par programme]({webhooks}).',
  'retries.failing': 'Un webhook en échec',
  'retries.failing-text':
    'Après {failures} tentatives échouées de suite, les envois au webhook s’arrêtent pendant {pauses}, puis plus longtemps, puis une seule tentative vérifie s’il répond de nouveau. Cette pause n’est pas décomptée des tentatives d’un événement.',
  'retries.disabled':
    'Un webhook est désactivé quand trois conditions sont réunies : il échoue depuis {failing}, au moins {failures} tentatives ont échoué, et un événement a épuisé ses tentatives. Réactivez-le dans l’interface web : les événements qui attendaient sont envoyés, pendant {held}.',
  'retries.disabled-api':
    'Un webhook est désactivé quand trois conditions sont réunies : il échoue depuis {failing}, au moins {failures} tentatives ont échoué, et un événement a épuisé ses tentatives. Réactivez-le avec `enable` : les événements qui attendaient sont envoyés, pendant {held}. Les événements publiés pendant que vous l’avez désactivé vous-même ne sont pas gardés : voir [Webhooks par programme]({webhooks}).',
  'retries.limits': 'Limites',
  'limit.body': 'Taille du corps d’un webhook',
  'limit.endpoints': 'Webhooks d’un compte',
  'limit.deadline': 'Temps pour votre réponse',
  'limit.stored': 'Durée pendant laquelle un événement peut être envoyé de nouveau',
  'limit.held': 'Durée pendant laquelle les événements attendent un webhook désactivé',
  'limit.token': 'Durée de vie d’un jeton d’accès',
  'limit.failed': 'Authentifications échouées d’un client depuis une adresse',
  'limit.logins': 'Authentifications d’un client',
  'limit.calls': 'Requêtes d’un client',
  'limit.in': '{points} en {window}',
  'limit.none': 'aucune limite',
  'limit.429': 'Au-delà d’une limite de requêtes, la réponse est 429. Attendez le temps que dit `Retry-After`.',

  'errors.title': 'Erreurs',
  'errors.description': 'Tous les codes, avec leur signification et leur remède.',
  'errors.intro':
    'Une erreur est un document de problème (RFC 9457). Comparez `code`, qui est stable. `detail` s’adresse aux personnes, et `errors` nomme chaque champ invalide du corps par `pointer` (RFC 6901 ; vide : le corps entier), chaque paramètre invalide par `parameter`. Après 429 et 503, attendez le temps que dit `Retry-After` ; [Nouvelles tentatives et limites]({retries}) donne les limites. Chaque document de problème a un en-tête `x-request-id` : donnez-le quand vous interrogez {name} sur une erreur.',
  'errors.login':
    'Les erreurs d’authentification suivent le format OAuth (RFC 6749 §5.2) : `error` et `error_description`.',
  'errors.fields': 'Un champ invalide :',
  'errors.no-token': 'Sans jeton d’accès :',
  'errors.not-found': 'Un compte auquel la clé ne donne pas accès :',
  'errors.wrong-login': 'Un secret incorrect :',
  'errors.codes': 'Codes',
  'errors.other': 'Une règle de {name}. `detail` dit que faire.',

  'sandbox.title': 'Environnement de test',
  'sandbox.description': 'Tout essayer sans argent réel ni client réel.',
  'sandbox.intro':
    'Un compte de test a la même API et les mêmes webhooks qu’un compte réel. Ses clés d’API et ses objets sont les siens : rien n’atteint un compte réel. Demandez un compte de test à {name}.',
  'sandbox.test-events': 'Événements de test',
  'sandbox.test-events-ui':
    'L’interface web de {name} envoie un événement de test à un webhook. Son `data.id` commence par `test_` ; ses données sont un exemple, qui peut ne pas convenir à l’événement, et il est signé comme un événement réel.',
  'sandbox.test-events-key':
    'Votre programme envoie un événement de test à un webhook : `POST …/webhooks/{endpointId}/test` dans [Opérations]({operations}), avec le `sample` de l’événement dans `GET …/webhook-catalogue` comme `data`. Son `data.id` commence par `test_`, et il est signé comme un événement réel. L’interface web de {name} le fait aussi.',
  'sandbox.test-events-api':
    'Votre programme peut demander des événements de test, pour tous les webhooks activés du compte, quel que soit leur choix :',
  'sandbox.simulate': 'Jouer l’autre rôle',
  'sandbox.simulate-text':
    'Dans un environnement de test, ces opérations font ce que ferait {name} ou un client. Ailleurs, elles répondent 404.',
  'sandbox.run':
    '[Les demandes du début à la fin]({requests}) montre leurs états, leurs événements et un parcours avec les corps.',

  'changes.title': 'Changements',
  'changes.description': 'Ce qui prend fin, et ce qui le remplace.',
  'changes.intro': 'Adaptez votre programme avant la date. Ce qui n’a pas de date fonctionne encore.',
  'changes.operation': 'Opération `{operation}`',
  'changes.field': 'Champ `{field}` de {object}',
  'changes.signature': 'Signature dans `{header}`',
  'changes.signature-end':
    'Prend fin le {date}. Vérifiez une autre signature de [Vérifier une signature]({signature}).',
  'changes.event': 'Événement `{event}`',
  'changes.since': 'Obsolète depuis le {since}.',
  'changes.until': 'Obsolète depuis le {since}, peut disparaître à partir du {until}.',
  'changes.instead': 'Utilisez {instead}.',
  'changes.deprecated': 'Obsolète. Ne l’utilisez pas dans un nouveau programme.',

  'llms.pages': 'Pages',
  'llms.full': 'Le manuel entier',
  'llms.full-text': 'Toutes les pages dans un seul fichier.',

  ...frenchStart,
  ...frenchPages,
  ...frenchCodes,
};
