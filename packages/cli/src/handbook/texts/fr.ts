import type { Catalogue } from './catalogue.ts';
import { frenchCodes } from './french-codes.ts';

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
  'head.event': 'Événement',
  'head.header': 'En-tête',
  'head.content': 'Contenu',
  'head.answer': 'Votre réponse',
  'head.reaction': 'Réaction de {name}',
  'head.attempt': 'Essai',
  'head.after': 'Après l’essai précédent',
  'head.since': 'Depuis le premier essai',
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
  written:
    'Écrit par `partnerkit handbook`. Ne changez que le texte à l’intérieur d’un emplacement : la prochaine exécution le garde.',
  'handbook.title': '{name} : manuel pour les partenaires',
  'handbook.description': 'Comment appeler l’API de {name}, et comment recevoir ses webhooks.',
  answered: 'La réponse :',
  words: 'Dans les exemples, `$CLIENT_ID` et d’autres mots en capitales représentent vos valeurs.',

  'start.title': 'Démarrer',
  'start.description': 'Recevez votre premier webhook en quelques minutes.',
  'start.intro':
    'Ce manuel s’adresse aux développeurs qui relient un système à {name}. {name} a une API HTTP et envoie des webhooks : des requêtes HTTP signées, à une adresse qui est la vôtre, une pour chaque événement que vous avez choisi.',
  'start.account': '**Compte** : une organisation qui utilise {name}. Un compte peut avoir des comptes enfants.',
  'start.key':
    '**Clé d’API** : un identifiant et un secret qui appartiennent à un compte. Votre programme s’authentifie avec eux.',
  'start.endpoint':
    '**Webhook** : une adresse HTTPS qui est la vôtre, les événements qu’elle reçoit, et un secret qui commence par `whsec_`.',
  'start.receiver': '1. Écrire un récepteur',
  'start.receiver-text':
    'Enregistrez ce programme sous le nom `receiver.py`. Il lui faut Python 3.9 ou plus récent, et rien d’autre. Il vérifie chaque requête, ignore un événement déjà traité, et répond.',
  'start.receiver-other':
    'Écrivez un programme qui répond à un POST HTTP. Vérifiez chaque requête comme l’explique [Vérifier une signature]({signature}), puis répondez 204.',
  'start.try': '2. L’essayer sur votre machine',
  'start.try-text': 'Lancez le programme avec le secret d’une démonstration :',
  'start.try-send':
    'Dans un autre terminal, envoyez-lui un événement signé. Il répond 204. Changez un caractère du corps, et il répond 401.',
  'start.connect': '3. Le relier à {name}',
  'start.connect-steps':
    '1. Rendez le récepteur accessible : {name} envoie à une adresse HTTPS sur Internet. Pour un essai, un tunnel vers votre machine suffit.\n2. Dans l’interface web de {name}, ajoutez un webhook avec cette adresse, et choisissez ses événements.\n3. Copiez le secret, qui n’est affiché qu’une fois. Lancez le récepteur avec ce secret dans `WEBHOOK_SECRET`.\n4. Envoyez un événement de test depuis l’interface web. Votre récepteur l’affiche.',
  'start.connect-api':
    'Dans un environnement de test, votre programme peut aussi demander un événement de test : voir [Environnement de test]({sandbox}).',
  'start.connect-listen':
    'Sans adresse publique, votre machine demande les événements à {name}. Il faut Node.js. La commande crée un webhook pour sa durée, le supprime à la fin, et affiche le secret avec lequel elle signe :',
  'start.call': '4. Appeler l’API',
  'start.call-text':
    'Demandez une clé d’API à {name}, ou ajoutez-en une dans son interface web. [Authentifiez-vous]({login}) avec elle, et envoyez le jeton d’accès avec chaque requête. [Comptes]({accounts}) dit quels comptes elle atteint.',
  'start.next': 'La suite',

  'login.title': 'S’authentifier',
  'login.description': 'Obtenir un jeton d’accès avec une clé d’API.',
  'login.intro':
    'Authentifiez-vous avec l’identifiant et le secret d’une clé d’API (OAuth 2.0 client credentials, RFC 6749 §4.4). `scope` vaut `USER` : tout ce que la clé peut faire. Il peut aussi nommer certains droits de la clé, comme `requests:read`.',
  'login.token-endpoint': 'L’adresse qui délivre les jetons est `{url}`.',
  'login.use': 'Envoyez le jeton d’accès avec chaque requête :',
  'login.lifetime':
    'Un jeton est valable {lifetime}. `expires_in` le dit en secondes. Authentifiez-vous de nouveau quand il a expiré, ou après une réponse 401. Ne le faites pas à chaque requête.',
  'login.other-forms':
    'L’adresse accepte aussi `application/x-www-form-urlencoded`, et l’identifiant et le secret par HTTP Basic. Une bibliothèque OAuth standard convient. Une clé d’API qui a des clés publiques s’authentifie par `private_key_jwt` (RFC 7523) : signez un nouveau JWT à chaque fois. `/revoke`, à côté de cette adresse, met fin à un jeton (RFC 7009).',
  'login.networks':
    'Une clé d’API peut ne servir que depuis certains réseaux. Une authentification venue d’ailleurs est refusée comme l’est un secret faux, et un appel venu d’ailleurs répond 403 `address_not_allowed`.',
  'login.python': 'En Python',
  'login.python-text': 'La bibliothèque standard suffit :',
  'login.secret': 'Garder le secret',
  'login.secret-text':
    'Le secret n’est affiché qu’une fois. Ne le mettez ni dans votre code ni dans vos journaux. Un secret perdu ne peut plus être lu : ajoutez-en un deuxième dans l’interface web, adaptez votre programme, puis révoquez le premier.',
  'login.failed':
    'Après {points} authentifications manquées d’un client depuis une adresse en {window}, la réponse est 429. Attendez le temps que dit `Retry-After`.',

  'accounts.title': 'Comptes',
  'accounts.description': 'Les comptes qu’une clé d’API atteint.',
  'accounts.intro':
    'Une clé d’API appartient à un seul compte. Elle atteint ce compte et ses comptes enfants directs. Le chemin d’une requête nomme le compte : `{path}`. Tout autre compte répond 404, comme un compte qui n’existe pas. Demandez à {name} les identifiants de vos comptes.',
  'accounts.read': 'Lire un compte',
  'accounts.environment':
    '`status` dit si le compte est en service, et `environment` à quel environnement il appartient. Une clé n’atteint que des comptes de son propre environnement. Travaillez d’abord avec le compte de test : voir [Environnement de test]({sandbox}).',

  'operations.title': 'Opérations',
  'operations.description': 'Toutes les requêtes que l’API accepte.',
  'operations.intro':
    'Tous les chemins commencent par `{origin}`. Chaque requête demande un [jeton d’accès]({login}). Les corps sont en JSON et en UTF-8. Un [code]({errors}) dit pourquoi une requête a été refusée.',
  'operations.repeat': 'Répéter une requête',
  'operations.repeat-text':
    'Envoyez un en-tête `Idempotency-Key` avec un POST, par exemple un UUID. Après une connexion perdue ou une réponse 503, envoyez la même requête avec la même clé : elle prend effet une seule fois, et la réponse est la première, pendant 24 heures.',
  'operations.webhooks':
    'Votre programme peut gérer les webhooks avec un jeton d’accès. Un secret n’est que dans une seule réponse : la première à la création d’un webhook, ou à une rotation. Si vous l’avez perdu, préparez et activez-en un autre.',
  'operations.versions': 'Versions',
  'operations.versions-text':
    'L’en-tête `ETag` d’une réponse nomme la version de l’objet. Envoyez-le comme `If-Match` avec un changement : si l’objet a changé entre-temps, la réponse est 412 et rien ne change. Ses guillemets en font partie. Sans `If-Match`, le changement s’applique à la version actuelle.',
  'operations.created':
    'La réponse à une création nomme le chemin du nouvel objet dans `Location`, et sa version dans `ETag`.',
  'operations.no-repeat':
    'Ces opérations ne prennent pas de `Idempotency-Key` : {operations}. Après une connexion perdue ou une réponse 503, lisez avant de répéter : la requête a peut-être pris effet.',
  'operations.cached':
    'Une lecture accepte la version que vous avez comme `If-None-Match`. Si c’est encore la version actuelle, la réponse est 304, sans corps.',
  'operations.lists': 'Listes',
  'operations.lists-text':
    'Une liste répond `{ "items": […], "next": "…" }`, avec au plus `limit` éléments. Tant qu’il y a un `next`, envoyez-le comme `after`, avec les mêmes autres paramètres, pour lire la page suivante. Plusieurs valeurs d’un paramètre sont séparées par des virgules. Les paramètres des listes :',
  'operations.only': 'Dans l’état {last}, seuls ces champs peuvent changer : {fields}.',
  'operations.only-some': 'Dans l’état {states} ou {last}, seuls ces champs peuvent changer : {fields}.',
  'operations.takes': '- {operation} accepte {parameters}.',
  'operations.input': 'Le corps de {operations} :',
  'operations.outputs': 'Réponses',
  'operations.output': 'Un objet dans la réponse de {operations} :',
  'operations.within': 'Un objet [{object}]({place}).',
  'operations.answers': 'Un objet dans la réponse de {operations} a des champs de [{object}]({place}).',
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
  'events.intro': 'Un webhook reçoit les types d’événements qu’il a choisis, de son compte et des comptes enfants.',
  'events.envelope': 'Le corps',
  'events.envelope-text': 'Chaque requête a ce corps :',
  'events.timestamp':
    'Le moment de l’événement, en secondes depuis 1970. Il augmente à chaque événement d’un même objet, et peut être en avance de 60 secondes au plus sur votre horloge.',
  'events.timestamp-iso': 'Le moment de l’événement (RFC 3339). Il augmente à chaque événement d’un même objet.',
  'events.data': 'L’objet : voir [Objets]({objects}).',
  'events.object-name': 'Le genre de l’objet.',
  'events.type': 'Le type de l’événement.',
  'events.pair': 'Le genre de l’objet, un point, et le type de l’événement.',
  'events.own-envelope': 'Les exemples montrent la forme du corps.',
  'events.unknown': 'De nouveaux types peuvent s’ajouter. Répondez 204 à un type que vous ne connaissez pas.',
  'events.test': 'Le `data.id` d’un événement de test commence par `test_`. Un tel objet n’existe pas.',
  'events.order':
    'Un événement peut arriver deux fois, et après un événement plus récent. Avant de traiter un événement, regardez si vous avez déjà enregistré {key}. Enregistrez cela dans la transaction de votre propre changement.',
  'events.late':
    'Gardez le `timestamp` de l’événement le plus récent de chaque objet. Un événement plus ancien dit un état passé : enregistrez-le, répondez 204, et n’écrasez pas ce qui est plus récent.',
  'events.late-other':
    'Gardez l’heure de l’événement le plus récent de chaque objet. Un événement plus ancien dit un état passé : enregistrez-le, répondez 204, et n’écrasez pas ce qui est plus récent.',
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
  'signature.rotation':
    'Pendant le remplacement d’un secret, les deux secrets sont valables : vérifiez avec les deux, et acceptez une requête qui correspond à l’un d’eux.',
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
  'signature.find': 'Quand une signature est fausse',
  'signature.find-text':
    'Enregistrez la requête et ses en-têtes dans un fichier, et lancez `npx @partnerkit/cli verify request.txt` avec votre secret dans `WEBHOOK_SECRET` : la commande nomme la cause. Les causes habituelles : le JSON a été analysé et récrit ; le secret a été coupé, décodé ou mis entre guillemets ; le framework a changé l’encodage du corps.',

  'retries.title': 'Nouveaux essais et limites',
  'retries.description': 'Ce que {name} fait après chaque réponse, et les limites en vigueur.',
  'retries.answers': 'Réponses',
  'retries.answers-text': 'Répondez en {deadline} au plus. Faites les longs travaux ensuite.',
  'retries.done': 'L’événement est livré. Il n’est plus envoyé.',
  'retries.gone': 'Le webhook est désactivé. Plus rien n’est envoyé.',
  'retries.pause': 'Rien n’est envoyé au webhook pendant ce temps, {longest} au plus.',
  'retries.pause-answer': '429 ou 503 avec `Retry-After`',
  'retries.none': 'tout autre statut, une redirection, ou aucune réponse',
  'retries.again': 'L’événement est envoyé de nouveau : voir ci-dessous.',
  'retries.schedule': 'Nouveaux essais',
  'retries.schedule-text':
    'Chaque événement est envoyé au plus {attempts} fois. Chaque délai est allongé d’un dixième au plus, pour que les nouveaux essais n’arrivent pas tous à la fois.',
  'retries.exhausted':
    'Après le dernier essai, l’événement reste dans l’interface web de {name}, d’où il peut être envoyé de nouveau pendant {stored}.',
  'retries.failing': 'Un webhook en panne',
  'retries.failing-text':
    'Après {failures} essais manqués de suite, les envois au webhook s’arrêtent pendant {pauses}, puis plus longtemps, et un seul essai le teste. Aucun essai d’un événement n’est consommé pendant ce temps.',
  'retries.disabled':
    'Un webhook est désactivé après {failing} de panne, au moins {failures} essais manqués, et un événement dont les essais sont épuisés. Réactivez-le dans l’interface web : les événements qui attendaient sont envoyés, pendant {held}.',
  'retries.limits': 'Limites',
  'limit.body': 'Taille du corps d’un webhook',
  'limit.endpoints': 'Webhooks d’un compte',
  'limit.deadline': 'Temps pour votre réponse',
  'limit.stored': 'Durée pendant laquelle un événement peut être envoyé de nouveau',
  'limit.held': 'Durée pendant laquelle les événements attendent un webhook désactivé',
  'limit.token': 'Durée de vie d’un jeton d’accès',
  'limit.failed': 'Authentifications manquées d’un client depuis une adresse',
  'limit.logins': 'Authentifications d’un client',
  'limit.calls': 'Requêtes d’un client',
  'limit.in': '{points} en {window}',
  'limit.429': 'Au-delà d’une limite de requêtes, la réponse est 429. Attendez le temps que dit `Retry-After`.',

  'errors.title': 'Erreurs',
  'errors.description': 'Tous les codes, avec leur signification et leur remède.',
  'errors.intro':
    'Une erreur est un document de problème (RFC 9457). Comparez `code`, qui est stable. `detail` s’adresse aux personnes, et `errors` nomme chaque champ faux du corps par `pointer`, chaque paramètre faux par `parameter`. Après 429 et 503, attendez le temps que dit `Retry-After`. Donnez l’en-tête `x-request-id` quand vous interrogez {name} sur une erreur.',
  'errors.login': 'L’authentification répond sous la forme d’OAuth (RFC 6749 §5.2) : `error` et `error_description`.',
  'errors.no-token': 'Sans jeton d’accès :',
  'errors.not-found': 'Un compte que la clé n’atteint pas :',
  'errors.wrong-login': 'Un secret faux :',
  'errors.codes': 'Codes',
  'errors.other': 'Une règle de {name}. `detail` dit que faire.',

  'sandbox.title': 'Environnement de test',
  'sandbox.description': 'Tout essayer sans argent réel ni client réel.',
  'sandbox.intro':
    'Un compte de test a la même API et les mêmes webhooks qu’un compte réel. Ses clés d’API et ses objets sont les siens : rien n’atteint un compte réel. Demandez un compte de test à {name}.',
  'sandbox.test-events': 'Événements de test',
  'sandbox.test-events-ui':
    'L’interface web de {name} envoie un événement de test à un webhook. Son `data.id` commence par `test_` ; ses données sont un exemple, qui peut ne pas convenir à l’événement, et il est signé comme un événement réel.',
  'sandbox.test-events-api':
    'Votre programme peut demander des événements de test, pour tous les webhooks activés du compte, quel que soit leur choix :',
  'sandbox.simulate': 'Jouer l’autre rôle',
  'sandbox.simulate-text':
    'Dans un environnement de test, ces opérations font ce que ferait {name} ou un client. Ailleurs, elles répondent 404.',

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

  ...frenchCodes,
};
