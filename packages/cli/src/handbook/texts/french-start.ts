import type { englishStart } from './english-start.ts';

/** The texts of the first pages in French: start, log in, accounts. */
export const frenchStart: Readonly<Record<keyof typeof englishStart, string>> = {
  'start.title': 'Démarrer',
  'start.description': 'Recevez votre premier webhook en quelques minutes.',
  'start.intro':
    'Ce manuel s’adresse aux développeurs qui relient un système à {name}. {name} a une API HTTP et envoie des webhooks : des requêtes HTTP signées, à une adresse qui est la vôtre, une pour chaque événement que vous avez choisi.',
  'start.account': '**Compte** : une organisation qui utilise {name}. Un compte peut avoir des comptes enfants.',
  'start.key':
    '**Clé d’API** : un identifiant et un secret qui appartiennent à un compte. Votre programme s’authentifie avec eux.',
  'start.endpoint':
    '**Webhook** : une adresse HTTPS qui est la vôtre, les événements qu’elle reçoit, et un secret qui commence par `whsec_`.',
  'start.choose':
    '**Événement** : un webhook choisit des types, comme `creation` de tous les objets, ou `Objet.creation` d’un seul.',
  'start.receiver': '1. Écrire un récepteur',
  'start.receiver-text':
    'Enregistrez ce programme sous le nom `receiver.py`. Il lui faut Python 3.9 ou plus récent, et rien d’autre. Il vérifie chaque requête, enregistre les événements déjà traités, dit si un événement est le plus récent de son objet, et répond.',
  'start.receiver-other':
    'Écrivez un programme qui répond à un POST HTTP. Vérifiez chaque requête comme l’explique [Vérifier une signature]({signature}), puis répondez 204.',
  'start.try': '2. L’essayer sur votre machine',
  'start.try-text': 'Lancez le programme avec le secret d’une démonstration :',
  'start.try-send':
    'Dans un autre terminal, envoyez-lui un événement signé. Il répond 204. Changez un caractère du corps, et il répond 401.',
  'start.connect': '3. Le relier à {name}',
  'start.connect-steps':
    '1. Rendez le récepteur accessible : {name} envoie à une adresse HTTPS sur Internet. Pour un essai, un tunnel vers votre machine suffit.\n2. Dans l’interface web de {name}, ajoutez un webhook avec cette adresse, et choisissez ses événements.\n3. Copiez le secret, qui n’est affiché qu’une fois. Lancez le récepteur avec ce secret dans `WEBHOOK_SECRET`.\n4. Envoyez un événement de test depuis l’interface web. Votre récepteur l’affiche.',
  'start.connect-steps-api':
    '1. Rendez le récepteur accessible : {name} envoie à une adresse HTTPS sur Internet. Pour un essai, un tunnel vers votre machine suffit.\n2. [Authentifiez-vous]({login}), et créez un webhook avec cette adresse et ses événements : `POST …/webhooks` dans [Opérations]({operations}). L’interface web de {name} le fait aussi.\n3. Gardez le secret de la réponse, affiché une seule fois. Lancez le récepteur avec ce secret dans `WEBHOOK_SECRET`.\n4. Envoyez un événement de test : `POST …/webhooks/{endpointId}/test`. Votre récepteur l’affiche.',
  'start.connect-api':
    'Dans un environnement de test, votre programme peut aussi demander un événement de test : voir [Environnement de test]({sandbox}).',
  'start.connect-listen':
    'Sans adresse publique, votre machine demande les événements à {name}. Il faut Node.js. La commande crée un webhook pour sa durée, le supprime à la fin, et affiche le secret avec lequel elle signe :',
  'start.of-key': 'd’une clé d’API',
  'start.call': '4. Appeler l’API',
  'start.call-text':
    'Demandez une clé d’API à {name}, ou ajoutez-en une dans son interface web. [Authentifiez-vous]({login}) avec elle, et envoyez le jeton d’accès avec chaque requête. [Comptes]({accounts}) dit à quels comptes elle donne accès.',
  'start.next': 'La suite',
  'login.title': 'S’authentifier',
  'login.description': 'Obtenir un jeton d’accès avec une clé d’API.',
  'login.intro':
    'Authentifiez-vous avec l’identifiant et le secret d’une clé d’API (OAuth 2.0 client credentials, RFC 6749 §4.4). Avec `scope` à `USER`, le jeton reçoit tous les droits de la clé. `scope` peut aussi en nommer certains.',
  'login.token-endpoint': 'L’adresse qui délivre les jetons est `{url}`.',
  'login.use': 'Envoyez le jeton d’accès avec chaque requête :',
  'login.lifetime':
    'Un jeton est valable {lifetime}. `expires_in` le dit en secondes. Authentifiez-vous de nouveau quand il a expiré, ou après une réponse 401. Ne le faites pas à chaque requête.',
  'login.networks':
    'Une clé d’API peut ne servir que depuis certains réseaux. Une authentification venue d’ailleurs est refusée comme l’est un secret erroné, et un appel venu d’ailleurs répond 403 `address_not_allowed`.',
  'login.other-forms':
    'L’adresse accepte aussi `application/x-www-form-urlencoded`, et l’identifiant et le secret par HTTP Basic. Une bibliothèque OAuth standard convient. Une clé d’API qui a des clés publiques s’authentifie par `private_key_jwt` (RFC 7523) : signez un nouveau JWT à chaque fois.',
  'login.python': 'En Python',
  'login.python-text': 'La bibliothèque standard suffit :',
  'login.revoke': 'Révoquer un jeton',
  'login.revoke-text':
    'Cette requête met fin à un jeton avant son terme (RFC 7009). La réponse est 200, sans corps, même pour un jeton inconnu.',
  'login.rights': 'Droits',
  'login.rights-text':
    '{name} donne des droits à une clé d’API. [Opérations]({operations}) nomme le droit que demande chaque opération. Dans `scope`, séparez-en plusieurs par des espaces.',
  'login.reads': 'Lire : {part}.',
  'login.changes': 'Lire et changer : {part}.',
  'login.secret': 'Garder le secret',
  'login.secret-text':
    'Le secret n’est affiché qu’une fois. Ne le mettez ni dans votre code ni dans vos journaux. Un secret perdu ne peut plus être lu : ajoutez-en un deuxième dans l’interface web, adaptez votre programme, puis révoquez le premier.',
  'login.failed':
    'Après {points} authentifications échouées d’un client depuis une adresse en {window}, la réponse est 429. Attendez le temps que dit `Retry-After`.',
  'accounts.title': 'Comptes',
  'accounts.description': 'Les comptes auxquels une clé d’API donne accès.',
  'accounts.intro':
    'Une clé d’API appartient à un seul compte. Elle donne accès à ce compte et à ses comptes enfants directs. Le chemin d’une requête nomme le compte : `{path}`. Une requête vers tout autre compte reçoit 404, comme pour un compte qui n’existe pas. Demandez à {name} les identifiants de vos comptes.',
  'accounts.read': 'Lire un compte',
  'accounts.environment':
    '`status` vaut `active`, ou un autre mot de {name} pour un compte qui n’est pas en service. `environment` est un mot de {name}, comme `prod` ou `test`. Une clé ne donne accès qu’à des comptes de son propre environnement. Travaillez d’abord avec le compte de test : voir [Environnement de test]({sandbox}).',
};
