import { requestMachines } from '@partnerkit/core/requests';
import { code, paragraphs, table } from '../markdown.ts';
import type { TextKey } from '../texts/catalogue.ts';
import { type PageSource, places, type WritePage } from './page.ts';
import { walkthrough } from './walkthrough.ts';

/** The kinds with states, as operations and events name them. */
const kinds = {
  payments: { name: 'PaymentRequest', title: 'RequestPayment' },
  deposits: { name: 'SecurityDeposit', title: 'RequestSecurityDeposit' },
  cashOuts: { name: 'CashOut', title: 'CashOut' },
} as const;
type Kind = keyof typeof kinds;

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const listed = (names: readonly string[]): string => names.map(code).join(', ');

/** Where an operation is, below the path of its object. */
const shortOf = (path: string): string => path.replace(/^.*\/\{id\}\/?/, '');

/** Each command that the platform serves, with its states and its events. */
const commandRows = (kind: Kind, { platform, texts }: PageSource): readonly (readonly string[])[] => {
  const { states, commands } = requestMachines[kind];
  return Object.entries(commands).flatMap(([command, rule]) => {
    const { name } = kinds[kind];
    const id = rule.by === 'host' ? `simulate${capital(command)}` : command;
    const operation = platform.operation(`${id}${name}`);
    if (!operation) return [];
    const { from, to, event, follows } = rule;
    const to_ = to === undefined ? [] : typeof to === 'string' ? [to] : to;
    const next = follows === undefined ? undefined : requestMachines.deposits.commands[follows]?.event;
    const short = operation.method === 'POST' ? shortOf(operation.path) : '';
    return [
      [
        code(short === '' || command === 'create' ? operation.method : short),
        from.length === states.length ? texts.t('requests.any') : listed(from),
        listed(to_),
        next === undefined ? code(event) : texts.t('requests.then', { event: code(event), next: code(next) }),
        // The rule of a command that moves money says how.
        'money' in rule ? texts.t('label.yes') : '',
      ],
    ];
  });
};

const sectionOf = (kind: Kind, source: PageSource): readonly string[] => {
  const { t } = source.texts;
  const rows = commandRows(kind, source);
  if (rows.length === 0) return [];
  const { states } = requestMachines[kind];
  return [
    `## ${kinds[kind].title}`,
    table(
      [t('head.state'), t('head.meaning')],
      // A test holds a text for each state.
      states.map((state) => [code(state), t(`state.${kind}.${state}` as TextKey)]),
    ),
    table([t('head.operation'), t('head.from'), t('head.to'), t('head.event'), t('head.books')], rows),
  ];
};

/** Payment requests and deposits from beginning to end. */
export const requestsPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  if (platform.operation('createSecurityDeposit') === undefined) return undefined;
  const words = [
    'recipient',
    'partner',
    'cash-out',
    'claim',
    'claim-until',
    'dispute',
    'secured',
    'account',
    'right',
  ] as const;
  return paragraphs([
    t('requests.intro', places),
    `## ${t('requests.words')}`,
    table(
      [t('head.word'), t('head.meaning')],
      words.map((word) => [t(`word.${word}`), t(`word.${word}-is`)]),
    ),
    ...(['payments', 'deposits', 'cashOuts'] as const).flatMap((kind) => sectionOf(kind, source)),
    t('requests.rules'),
    ...walkthrough(source),
  ]);
};
