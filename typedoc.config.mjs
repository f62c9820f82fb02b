// The API reference: the modules of each package, as it registers them.
import { modulesOf, readPackages } from './tools/packages.ts';

const documented = readPackages().filter((each) => modulesOf(each).length > 0);

/** @type {import('typedoc').TypeDocOptions} */
export default {
  name: 'partnerkit',
  entryPoints: documented.flatMap(modulesOf).map(({ file }) => file),
  plugin: ['./tools/docs/typedoc.mjs', 'typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
  router: 'member',
  out: 'docs/reference/api',
  cleanOutputDir: true,
  readme: 'none',
  skipErrorChecking: true,
  excludeInternal: true,
  excludePrivate: true,
  disableGit: true,
  sourceLinkTemplate: 'https://github.com/partnerkit/partnerkit/blob/{gitRevision}/{path}#L{line}',
  gitRevision: 'main',
  validation: {
    notExported: true,
    invalidLink: true,
    notDocumented: true,
  },
  treatValidationWarningsAsErrors: true,
  treatWarningsAsErrors: true,
  requiredToBeDocumented: [
    'Module',
    'Enum',
    'EnumMember',
    'Variable',
    'Function',
    'Class',
    'Interface',
    'Constructor',
    'Method',
    'Accessor',
    'TypeAlias',
  ],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'list',
  classPropertiesFormat: 'list',
  typeAliasPropertiesFormat: 'list',
  enumMembersFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  indexFormat: 'table',
  useCodeBlocks: false,
  docsRoot: 'docs',
  sidebar: {
    collapsed: true,
  },
  pageTitleTemplates: {
    index: 'API reference',
    module: '@partnerkit/{name}',
    member: '{name}',
  },
  tableColumnSettings: {
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
    leftAlignHeaders: true,
  },
  displayBasePath: '.',
  navigation: {
    includeFolders: false,
  },
  packagesRequiringDocumentation: documented.map(({ name }) => name),
  excludeExternals: true,
  intentionallyNotExported: [
    '@partnerkit/client/src/pages.ts:Data',
    '@partnerkit/client/src/pages.ts:Page',
    '@partnerkit/core/src/access/clients/client-fields.ts:loginRefusals',
    '@partnerkit/core/src/webhooks/catalogue/leaf-path.ts:Scalar',
    '@partnerkit/core/src/webhooks/catalogue/leaf-path.ts:FieldName',
    '@partnerkit/core/src/webhooks/catalogue/specification.ts:specification',
    ...['TextOf', 'TypesOf'].map((name) => `@partnerkit/core/src/webhooks/catalogue/define-object.ts:${name}`),
    '@partnerkit/core/src/webhooks/catalogue/read-event-types.ts:EventTexts',
    ...['SpecifiedEvent', 'PublishCommandEvents'].map(
      (name) => `@partnerkit/core/src/requests/commands/command-events.ts:${name}`,
    ),
    ...['ObjectLine', 'TemplateLine', 'ObjectOf'].map(
      (name) => `@partnerkit/core/src/requests/exports/request-line.ts:${name}`,
    ),
    ...['ObjectRow', 'TemplateRow', 'ObjectOf', 'FilledInTransaction'].map(
      (name) => `@partnerkit/core/src/requests/imports/request-row.ts:${name}`,
    ),
    '@partnerkit/core/src/base/http/route.ts:RouteOperation',
    '@partnerkit/core/src/api/operations/codes.ts:table',
    '@partnerkit/core/src/api/partner/account-route.ts:AccountRoute',
    ...['ValueOf', 'IdentityOf', 'ValuesOf', 'Split'].map(
      (name) => `@partnerkit/core/src/stores/rows/port/table.ts:${name}`,
    ),
    '@partnerkit/conformance/src/simulator/call-name.ts:Ports',
    '@partnerkit/conformance/src/simulator/call-name.ts:MethodOf',
  ],
};
