import { fieldsOf } from '../fields.ts';
import { code, fence, json, paragraphs, table } from '../markdown.ts';
import type { EventType, Platform, PlatformObject } from '../platform.ts';
import { type PageSource, places, type WritePage } from './page.ts';

/** The fields of the body, by envelope. */
const envelopeRows = (envelope: Platform['envelope'], { texts }: PageSource): readonly (readonly string[])[] => {
  const { t } = texts;
  const data = [code('data'), t('events.data', places)];
  if (envelope === 'specification')
    return [
      [code('timestamp'), t('events.timestamp')],
      data,
      [code('objectName'), t('events.object-name')],
      [code('type'), t('events.type')],
    ];
  if (envelope === 'standard-webhooks')
    return [[code('type'), t('events.pair')], [code('timestamp'), t('events.timestamp-iso')], data];
  return [];
};

const keyTexts = {
  specification: 'events.key',
  'standard-webhooks': 'events.key-pair',
  other: 'events.key-other',
} as const;

/** Event types that send the same fields share a sample. */
const groupsOf = ({ events }: PlatformObject, { platform }: PageSource): readonly (readonly EventType[])[] => {
  const groups = new Map<string, EventType[]>();
  for (const event of events) {
    const fields = event.data ? fieldsOf(event.data, platform.reader).map(({ path }) => path) : [event.name];
    const key = fields.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
};

const sectionOf = (object: PlatformObject, source: PageSource): readonly string[] => {
  const { t, described } = source.texts;
  const rows = object.events.map(({ name, description }) => [
    code(name),
    description === undefined ? '' : described(description),
  ]);
  const samples = groupsOf(object, source).flatMap((group) => {
    const [first] = group;
    if (!first?.example) return [];
    return [
      ...(group.length > 1
        ? [t('events.same-fields', { events: group.map(({ name }) => code(name)).join(', ') })]
        : []),
      t('events.sample', { events: code(`${object.name}.${first.name}`) }),
      fence('json', json(first.example)),
    ];
  });
  return [`## ${object.name}`, table([t('head.event'), t('head.meaning')], rows), ...samples];
};

/** Each event with what it sends. */
export const eventsPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const [first] = platform.objects;
  if (!first) return undefined;
  const rows = envelopeRows(platform.envelope, source);
  const [type] = first.events;
  if (!type) return undefined;
  return paragraphs([
    t(platform.operation('createEndpoint') ? 'events.intro-api' : 'events.intro'),
    t('events.choose', { example: code(`${first.name}.${type.name}`), type: code(type.name) }),
    `## ${t('events.envelope')}`,
    rows.length > 0 ? t('events.envelope-text') : t('events.own-envelope'),
    table([t('head.field'), t('head.content')], rows),
    t('events.order', { key: t(keyTexts[platform.envelope]) }),
    t(platform.envelope === 'other' ? 'events.late-other' : 'events.late'),
    t('events.held-back'),
    t('events.account'),
    t('events.unknown'),
    t('events.test'),
    ...platform.objects.flatMap((object) => sectionOf(object, source)),
  ]);
};
