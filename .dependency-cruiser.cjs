// Who may import whom. Each rule's comment is its reason; test/architecture/import-rules.spec.ts shows that each one fires.

const spec = '[.]spec[.]ts$';
/** What the product consists of; specs may reach further. */
const product = (path) => ({ path, pathNot: spec });
const frameworks =
  '^node_modules/(@nestjs|fastify|@fastify|rxjs|reflect-metadata|class-validator|class-transformer|pino)(/|$)';
const database = '^node_modules/(@prisma|prisma|pg|pglite-prisma-adapter|@electric-sql)(/|$)|^prisma/client/';
const httpClients = '^node_modules/(axios|@nestjs/axios|undici)(/|$)';
const httpLibraries = '^node_modules/(axios|undici)(/|$)';
/** What a bank implements. The port to the core is a package, for a bank may keep its adapter in a repository of its own. */
const corePort = '^packages/core-adapter/';
const signOnPort = '^src/customer-authentication/[^/]+$';
const adapters = '^src/(core-banking|customer-authentication)/adapters/[^/]+/';
/** Everything that is ours. */
const ours = '^(src|packages|adapter-tools|sandbox|test)/';
/** From the bottom up. The pages, which know nobody, are beside the lowest. */
const authorisationRooms = ['listeners', 'tpps', 'oidc', 'journey', 'dashboard'];
/** The Nest module that loads the others, where the authorization server is switched on. */
const authorisationLoader = 'embedded-authorisation-server[.]module[.]ts$';
/**
 * The rooms of the product from the bottom up, each with the reason why it knows none above it; the wiring, which is in no
 * room, is above all of them. The rooms that are missing here (clock, open-banking, the port, core-banking, endpoint,
 * resources, versions) have a stricter rule of their own.
 */
const rooms = [
  ['config', 'Settings are read and judged before anything that they configure exists.'],
  ['persistence', 'The database, its migrations and the kept rows serve whatever is stored: who stores it is above.'],
  ['observability', 'The log and the metrics are below everything that they observe, so that everything can use them.'],
  ['profiles', 'A profile is data about endpoints: who reads the data is above.'],
  ['security', 'Who asks is proved without knowing what is asked for.'],
  ['consents', 'What a customer allowed holds for every server and page alike.'],
  ['sca', 'The rule of the authentication window is declared by endpoints and enforced by the wiring.'],
  ['quotas', 'How much a TPP may ask does not depend on which server answers.'],
  [
    'server',
    'How a request is taken in and answered is the same for every port: the routes and their checks come from above.',
  ],
  [
    'openapi',
    'The document describes the API: but for the two files that write it, it does not know how the gateway is wired.',
  ],
  [
    'authorisation-server',
    'The embedded authorization server is one user of the rooms below; a gateway without it has them all.',
  ],
  ['bank-facing', 'The bank’s port is built from the rooms; the wiring alone knows that it exists.'],
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'open-banking-is-pure',
      comment:
        'The published contract is plain TypeScript: it can be read, tested and trusted without the rest of the house.',
      severity: 'error',
      from: product('^src/open-banking/'),
      to: { path: [ours, frameworks, database, httpClients], pathNot: '^src/open-banking/' },
    },
    {
      name: 'port-knows-itself-only',
      comment: 'A bank implements the port; whatever the port imported, every bank would have to understand.',
      severity: 'error',
      from: { path: '(^packages/core-adapter|^src/customer-authentication)/[^/]+$', pathNot: spec },
      to: { path: ours, pathNot: '$1/[^/]+$' },
    },
    {
      name: 'core-port-is-a-package',
      comment:
        'An adapter outside this repository brings the port with it: beside Node the port needs its HTTP client and no framework.',
      severity: 'error',
      from: { path: corePort },
      to: { path: '^node_modules/', pathNot: '^node_modules/undici/' },
    },
    {
      name: 'core-banking-knows-the-port-only',
      comment:
        'What the gateway does round every adapter (deadline, turn, circuit breaker, bad records) is the same for every resource and every consent. ' +
        'Only the Nest module knows where settings, clock and metrics come from.',
      severity: 'error',
      from: { path: '^src/core-banking/[^/]+$', pathNot: [spec, '[.]module[.]ts$'] },
      to: { path: ours, pathNot: [corePort, '^src/core-banking/[^/]+$'] },
    },
    {
      name: 'adapter-knows-the-port-only',
      comment:
        'An adapter cannot leak what it cannot see: permissions, Basic/Detail, windows, masking, signs, links and errors belong to the gateway. ' +
        'One adapter never builds on another, so that a bank can delete those that it does not use.',
      severity: 'error',
      from: { path: '^src/core-banking/adapters/([^/]+)/', pathNot: spec },
      to: { path: ours, pathNot: [corePort, '^src/core-banking/adapters/$1/'] },
    },
    {
      name: 'sign-on-adapter-knows-its-port-only',
      comment: 'The same for an adapter of the bank’s sign-on, whose port is in src/.',
      severity: 'error',
      from: { path: '^src/customer-authentication/adapters/([^/]+)/', pathNot: spec },
      to: { path: ours, pathNot: [signOnPort, '^src/customer-authentication/adapters/$1/'] },
    },
    {
      name: 'adapter-is-chosen-by-the-registry',
      comment:
        'Only the registry names adapters: everything else speaks to the port, so a core can be swapped by one line.',
      severity: 'error',
      from: {
        path: '^(src|packages|adapter-tools|sandbox)/',
        pathNot: [spec, '^src/(core-banking|customer-authentication)/adapters/'],
      },
      to: { path: adapters },
    },
    {
      name: 'kit-knows-the-port-only',
      comment:
        'The kit is run in the repositories of banks: beside the port it needs Node and nothing else, ' +
        'and it judges an adapter by the port alone.',
      severity: 'error',
      from: { path: '^packages/adapter-kit/' },
      to: { path: [ours, '^node_modules/'], pathNot: [corePort, '^packages/adapter-kit/'] },
    },
    {
      name: 'kit-is-no-part-of-the-gateway',
      comment: 'The kit breaks connections and spoils answers: a gateway that runs has no use for it.',
      severity: 'error',
      from: { path: '^(src|sandbox)/' },
      to: { path: '^packages/adapter-kit/' },
    },
    {
      name: 'tools-stand-above-all',
      comment:
        'The tools show what the kit and the gateway make of an adapter and import both: whatever imported a tool would import both.',
      severity: 'error',
      from: { path: ours, pathNot: '^(test/)?adapter-tools/' },
      to: { path: '^adapter-tools/' },
    },
    {
      name: 'resource-stands-alone',
      comment:
        'A resource is the contract, the port and its endpoint declaration. Code that two resources need belongs one storey down.',
      severity: 'error',
      from: { path: '^src/resources/([^/]+)/', pathNot: spec },
      to: {
        path: ours,
        pathNot: ['^src/(open-banking|endpoint)/', corePort, '^src/resources/$1/', '^src/resources/[^/]+$'],
      },
    },
    {
      name: 'endpoint-knows-no-endpoint',
      comment:
        'The form of an endpoint is the same for all of them: it is declared below the resources and below all that serves them.',
      severity: 'error',
      from: product('^src/endpoint/'),
      to: {
        path: ours,
        pathNot: ['^src/(endpoint|open-banking|clock)/', corePort, '^src/core-banking/[^/]+$'],
      },
    },
    {
      name: 'version-is-data',
      comment:
        'A version is what the API says in its own words: whoever serves, documents or tests the API reads it from above.',
      severity: 'error',
      from: product('^src/versions/'),
      to: {
        path: [ours, frameworks, database, httpClients],
        pathNot: ['^src/(versions|endpoint|open-banking)/', '^src/resources/[^/]+/[^/]+[.]endpoint[.]ts$'],
      },
    },
    {
      name: 'resource-without-guard-or-store',
      comment:
        'What guards a resource is declared on its handler and enforced before it; what is stored about a consent is no business of a resource.',
      severity: 'error',
      from: product('^src/resources/'),
      to: { path: ['[.](guard|store)[.]ts$', '^src/(consents|sca|security|persistence)/'] },
    },
    {
      name: 'prisma-stays-in-stores',
      comment:
        'The database is spoken to in persistence/ and in *.store.ts, nowhere else: every transition of a consent can be found there.',
      severity: 'error',
      from: { path: '^(src|packages|adapter-tools|sandbox)/', pathNot: [spec, '^src/persistence/', '[.]store[.]ts$'] },
      to: { path: database },
    },
    {
      name: 'http-libraries-in-one-place',
      comment:
        'One place limits what the gateway asks others over HTTP, and turns faults into its own words. A core that speaks HTTP has its transport in the port.',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: [spec, adapters, '^src/outgoing/', `${corePort}http-core[.]client`] },
      to: { path: httpLibraries },
    },
    {
      name: 'http-service-in-clients-and-wiring',
      comment:
        'The gateway asks the bank, token issuers, the directory and TPPs, and nobody else: HttpService goes to their clients, through the wiring.',
      severity: 'error',
      from: {
        path: '^(src|packages)/',
        pathNot: [spec, adapters, '^src/(outgoing|security)/', '[.](module|providers)[.]ts$'],
      },
      to: { path: '^node_modules/@nestjs/axios(/|$)' },
    },
    {
      name: 'outgoing-knows-nobody',
      comment: 'How the gateway asks others is the same for every one of them.',
      severity: 'error',
      from: product('^src/outgoing/'),
      to: { path: ours, pathNot: '^src/outgoing/' },
    },
    {
      name: 'pages-are-pure',
      comment:
        'A page is a pure function of what it shows: it can be drawn, read and tested without a server, a store or a customer.',
      severity: 'error',
      from: product('^src/authorisation-server/pages/'),
      to: {
        path: [ours, frameworks, database, httpClients],
        pathNot: ['^src/authorisation-server/pages/', '^src/(open-banking|config)/'],
      },
    },
    ...rooms.map(([room, comment], floor) => ({
      name: `${room}-knows-no-room-above-it`,
      comment,
      severity: 'error',
      from: {
        path: `^src/${room}/`,
        pathNot: [spec, '^src/openapi/(declared-document|write-openapi)[.]ts$'],
      },
      to: { path: `^src/(${[...rooms.slice(floor + 1).map(([above]) => `${above}/`), '[^/]+$'].join('|')})` },
    })),
    {
      name: 'written-openapi-stands-above-all',
      comment:
        'The files of docs/openapi are written from a whole gateway: what imported their writer would import all of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, '^src/openapi/write-openapi[.]ts$'] },
      to: { path: '^src/openapi/(declared-document|write-openapi)[.]ts$' },
    },
    ...authorisationRooms.map((room, floor) => ({
      name: `${room}-knows-no-room-above-it`,
      comment:
        `The rooms of the authorization server stand on one another: ${authorisationRooms.join(', ')}, and the wiring on ` +
        'top. An import that runs up would tie all of them into one.',
      severity: 'error',
      from: product(`^src/authorisation-server/${room}/`),
      to: {
        path: `^src/authorisation-server/(${[...authorisationRooms.slice(floor + 1).map((above) => `${above}/`), '[^/]+$'].join('|')})`,
        pathNot: '^src/authorisation-server/sealing[.]ts$',
      },
    })),
    {
      name: 'authorisation-server-is-loaded-when-it-is-switched-on',
      comment:
        'The library and the pages cost memory and time: a gateway without them loads none of it but the module that loads ' +
        'the rest. What the bank sends of a TPP is checked at the bank-facing port.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, `^src/authorisation-server/(?!${authorisationLoader})`] },
      to: {
        path: '^src/authorisation-server/',
        pathNot: `^src/authorisation-server/(tpps/tpp-entry[.]ts$|${authorisationLoader})`,
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'product-without-sandbox-or-test',
      comment: 'The product is built and shipped without the sandbox and without the tests.',
      severity: 'error',
      from: product('^(src|packages|adapter-tools)/'),
      to: { path: '^(sandbox|test)/' },
    },
    {
      name: 'sandbox-from-outside',
      comment:
        'The sandbox speaks to a running stack through its ports: what it shows is what a bank and a TPP will see. ' +
        'The clock, the published contract, its versions, the endpoints, the profiles, how secrets are read from files, how settings are judged, where the package lies, how folders are made and how commands end are the same for all.',
      severity: 'error',
      // sandbox/gateway/ is the gateway itself, with a bank whose time can be moved on.
      from: { ...product('^sandbox/'), pathNot: [].concat(product('^sandbox/').pathNot ?? [], '^sandbox/gateway/') },
      to: {
        path: '^(src|packages|adapter-tools|test)/',
        pathNot:
          '^src/(clock|open-banking|profiles)/|^src/(resources/endpoints|versions/)|^src/config/(boot-error|load-config|secrets)|^src/persistence/(make-folder|package-root)|^src/commands/gone-reader',
      },
    },
    {
      name: 'production-dependencies-only',
      comment:
        "The images hold no development dependency. The sandbox's TPP is in neither, nor are the programs of new TPPs.",
      severity: 'error',
      from: { path: '^(src|packages|adapter-tools|sandbox)/', pathNot: [spec, '^sandbox/(tpp|new-tpps/template)/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer'] },
    },
    {
      name: 'declared-dependencies-only',
      comment: 'A package that package.json does not name is there by accident and may be gone tomorrow.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would be seen by no other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or there is a third one to be found.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // The generated client must stay visible, as what a store imports, but is not ours to judge.
    doNotFollow: { path: ['^node_modules/', '^prisma/client/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
