import { type CommandRule, type RequestKindName, type RequestMachine, requestMachines } from '../../src/requests.ts';
import { fieldsOfCommand, fieldTable } from './field-tables.ts';

/** The kinds of the page, and where partners reach their objects. */
const kinds: readonly (readonly [heading: string, path: string, kind: RequestKindName])[] = [
  ['Payment requests', 'payment-requests', 'payments'],
  ['Security deposits', 'security-deposits', 'deposits'],
  ['Cash-outs', 'security-deposits/{depositId}/cash-outs', 'cashOuts'],
  ['Templates of payment requests', 'payment-templates', 'paymentTemplates'],
  ['Templates of security deposits', 'security-deposit-templates', 'depositTemplates'],
];

const begin = '<!-- generated: pnpm run docs:requests -->';
const end = '<!-- end of generated part -->';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const request = (path: string, command: string): string => {
  const method: Record<string, string> = {
    create: `POST ${path}`,
    change: `PATCH ${path}/{id}`,
    delete: `DELETE ${path}/{id}`,
  };
  return method[command] ?? `POST ${path}/{id}/${kebab(command)}`;
};

const routeOf = (path: string, command: string, { by }: CommandRule): string =>
  by === 'partner' ? code(request(path, command)) : 'in process';

const conditions = ({ unless, within, follows, only = {} }: CommandRule): string =>
  [
    ...Object.entries(only).map(([state, fields = []]) => `while ${code(state)} only ${fields.map(code).join(', ')}`),
    within ? `the deposit is ${within.map(code).join(' or ')}` : '',
    unless ? `refused if ${unless}` : '',
    follows ? `${code(follows)} of the deposit follows` : '',
  ]
    .filter((text) => text !== '')
    .join('; ');

/** The event, and the reason that it has where the input names none. */
const eventOf = ({ event, reasonCode }: CommandRule): string =>
  reasonCode === undefined ? code(event) : `${code(event)}, reason ${code(reasonCode)}`;

const targets = ({ to = [] }: CommandRule): readonly string[] => [to].flat();
const toOf = (rule: CommandRule): string =>
  [
    ...targets(rule).map(code),
    ...Object.entries(rule.mayLead ?? {}).map(([from, to = '']) => `${code(to)} from ${code(from)}`),
  ].join(' or ');

const table = (path: string, kind: RequestKindName): string =>
  [
    row('Command', 'Description', 'Route', 'From', 'To', 'Event', 'Input', 'Conditions'),
    row('---', '---', '---', '---', '---', '---', '---', '---'),
    ...Object.entries(requestMachines[kind].commands).map(([command, rule]) =>
      row(
        code(command),
        rule.description,
        routeOf(path, command, rule),
        rule.from.map(code).join(', '),
        toOf(rule),
        eventOf(rule),
        fieldsOfCommand(kind, command).join(', '),
        conditions(rule),
      ),
    ),
  ].join('\n');

const diagram = ({ commands }: RequestMachine): string => {
  const arrows = Object.entries(commands).flatMap(([command, rule]) => [
    ...targets(rule).flatMap((to) =>
      (rule.from.length > 0 ? rule.from : ['[*]']).map((state) => `  ${state} --> ${to}: ${command}`),
    ),
    ...Object.entries(rule.mayLead ?? {}).map(([state, to]) => `  ${state} --> ${to}: ${command}`),
  ]);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n');
};

/** What a PATCH does. */
const changes = (path: string, { objectName, commands }: RequestMachine): string => {
  const { change } = commands as Readonly<Record<string, CommandRule>>;
  if (!change) return '';
  return [
    `${code(request(path, 'change'))} changes the given fields and keeps the others (RFC 7396).`,
    `It needs at least one field, and publishes ${code(change.event)} of ${code(objectName)} if a value changes.`,
  ].join('\n');
};

/** The page with a new generated part. */
export const requestsPage = (page: string): string => {
  const [before, after] = [page.split(begin)[0] ?? '', page.split(end)[1] ?? ''];
  const sections = kinds.map(([heading, path, kind]) => {
    const machine = requestMachines[kind];
    return `### ${heading}\n\nEvents of ${code(machine.objectName)}.\n\n${diagram(machine)}\n\n${table(path, kind)}\n\n${fieldTable(kind)}\n\n${changes(path, machine)}\n`;
  });
  return `${before}${begin}\n\n${sections.join('\n')}\n${end}${after}`;
};
