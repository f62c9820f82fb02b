import { paragraphs } from '../markdown.ts';
import { inputsOf, operationTable, sampleOf, simulationTag, tagOf, testEventId } from './operations.ts';
import { type PageSource, places, type WritePage } from './page.ts';
import { createValueTables } from './value-tables.ts';

const testEvents = (source: PageSource): readonly string[] => {
  const operation = source.platform.operation(testEventId);
  if (!operation) return [];
  return [source.texts.t('sandbox.test-events-api'), ...sampleOf(operation, source)];
};

/** How to try everything. */
export const sandboxPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const name = { name: platform.name, ...places };
  const manages = platform.operation('createEndpoint') !== undefined;
  const hasRun = platform.operation('createSecurityDeposit') !== undefined;
  const values = createValueTables(texts);
  const simulations = platform.operations.filter((each) => tagOf(each) === simulationTag);
  return paragraphs([
    t('sandbox.intro', name),
    `## ${t('sandbox.test-events')}`,
    t(manages ? 'sandbox.test-events-key' : 'sandbox.test-events-ui', name),
    ...testEvents(source),
    ...(simulations.length > 0
      ? [
          `## ${t('sandbox.simulate')}`,
          t('sandbox.simulate-text', name),
          operationTable(simulations, source),
          ...(hasRun ? [t('sandbox.run', name)] : []),
          ...inputsOf(simulations, source, values),
          ...values.sections(),
        ]
      : []),
  ]);
};
