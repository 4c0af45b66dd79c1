// The rules on imports. Each rule's comment is its reason; test/architecture/import-rules.spec.ts shows that each one fires.

const spec = '[.]spec[.]ts$';
/** The files of the product; specs may import more. */
const product = (path) => ({ path, pathNot: spec });
const frameworks =
  '^node_modules/(@nestjs|fastify|@fastify|rxjs|reflect-metadata|class-validator|class-transformer|pino)(/|$)';
const database = '^node_modules/(@prisma|prisma|pg|pglite-prisma-adapter|@electric-sql)(/|$)|^prisma/client/';
const httpClients = '^node_modules/(axios|@nestjs/axios|undici)(/|$)';
const httpLibraries = '^node_modules/(axios|undici)(/|$)';
/** The ports that a bank implements. They are packages, because a bank may keep its adapters in separate repositories. */
const corePort = '^packages/core-adapter/';
/** How a bank's YAML file maps columns to the records of the port. */
const recordMapping = '^src/core-banking/record-mapping/';
const signOnPort = '^packages/customer-authentication/';
const adapters = '^src/(core-banking|customer-authentication)/adapters/[^/]+/';
/** All files of the project. */
const ours = '^(src|packages|adapter-tools|ops|sandbox|test|tools/build)/';
/** From the bottom up. The pages, which import no other room, are next to the lowest. */
const authorisationRooms = ['listeners', 'tpps', 'oidc', 'sign-in', 'journey', 'dashboard'];
/** The Nest module that loads the others, where the authorization server is switched on. */
const authorisationLoader = 'embedded-authorisation-server[.]module[.]ts$';
/**
 * The rooms of the product from the bottom up, each with the reason why it knows none above it; the wiring (boot and
 * the loose files) is above all of them. The rooms that are missing here (clock, open-banking, the port, core-banking, request,
 * endpoint, resources, versions) have stricter rules.
 */
const rooms = [
  ['config', 'Settings are read and judged before anything that they configure exists.'],
  ['persistence', 'The database, its migrations and the kept rows serve any store: the stores are above.'],
  ['observability', 'The log and the metrics are below everything that they observe, so that everything can use them.'],
  ['trail', 'The decision trail is below everything that it observes, so that everything can leave events in it.'],
  ['profiles', 'A profile is data about endpoints: its readers are above.'],
  ['security', 'The caller is identified without knowledge of the requested resource.'],
  ['consents', 'A consent is the same for every server and page.'],
  ['sca', 'The rule of the authentication window is declared by endpoints and enforced by the wiring.'],
  ['outages', 'A planned outage is stated at the bank’s port and shown at the TPPs’: both are above.'],
  ['quotas', 'The limits of a TPP do not depend on the server that answers.'],
  [
    'server',
    'A request is received and answered in the same way at every port: the routes and their checks come from above.',
  ],
  ['events', 'A TPP polls for the changes of its consents: the rooms below make them.'],
  ['openapi', 'The document describes the API; it does not know how the gateway is wired.'],
  [
    'authorisation-server',
    'The embedded authorization server is one user of the rooms below; a gateway without it has them all.',
  ],
  ['bank-facing', 'The bank’s port is built from the rooms; the wiring alone knows that it exists.'],
  ['adapters', 'The configured adapters are created from the registries; only the wiring asks for them.'],
  ['command-line', 'A command line reads the words of a person: no room of the gateway does.'],
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'open-banking-is-pure',
      comment:
        'The published contract is plain TypeScript: it can be read, tested and trusted without the other rooms. ' +
        'The digits of currencies and the clocks of time zones are facts of the world, which the port publishes to banks.',
      severity: 'error',
      from: product('^src/open-banking/'),
      to: {
        path: [ours, frameworks, database, httpClients],
        pathNot: ['^src/open-banking/', `${corePort}(currencies|zone-offsets)[.]ts$`],
      },
    },
    {
      name: 'port-knows-itself-only',
      comment: 'A bank implements the port; every bank would have to understand each import of the port.',
      severity: 'error',
      from: { path: corePort, pathNot: spec },
      to: { path: ours, pathNot: corePort },
    },
    {
      name: 'sign-on-port-knows-the-ports-only',
      comment:
        'The same for the port to the sign-on, which shares the logger, the clock and the metrics with the port to the core.',
      severity: 'error',
      from: { path: signOnPort, pathNot: spec },
      to: { path: ours, pathNot: [corePort, signOnPort] },
    },
    {
      name: 'core-port-is-a-package',
      comment:
        'An adapter outside this repository brings the port with it: except for Node the port needs only its HTTP client, and no framework.',
      severity: 'error',
      from: product([corePort, signOnPort]),
      to: { path: '^node_modules/', pathNot: '^node_modules/undici/' },
    },
    {
      name: 'core-banking-knows-the-port-only',
      comment:
        'The gateway’s work around every adapter (deadline, turn, circuit breaker, bad records) is the same for every resource and every consent. ' +
        'Only the Nest module knows where settings, clock and metrics come from.',
      severity: 'error',
      from: { path: '^src/core-banking/[^/]+$', pathNot: [spec, '[.]module[.]ts$'] },
      to: { path: ours, pathNot: [corePort, '^src/core-banking/[^/]+$'] },
    },
    {
      name: 'adapter-knows-the-port-only',
      comment:
        'An adapter cannot leak data that it never receives: permissions, Basic/Detail, windows, masking, signs, links and errors belong to the gateway. ' +
        'One adapter never builds on another, so that a bank can delete those that it does not use; those that a bank configures ' +
        'by a YAML file share its vocabulary.',
      severity: 'error',
      from: { path: '^src/core-banking/adapters/([^/]+)/', pathNot: spec },
      to: { path: ours, pathNot: [corePort, recordMapping, '^src/core-banking/adapters/$1/'] },
    },
    {
      name: 'record-mapping-knows-the-port-only',
      comment:
        'A mapping makes records of the port, for any adapter: it knows none of them, and nothing of the gateway.',
      severity: 'error',
      from: product(recordMapping),
      to: { path: ours, pathNot: [corePort, recordMapping] },
    },
    {
      name: 'sign-on-adapter-knows-its-port-only',
      comment: 'The same for an adapter of the bank’s sign-on.',
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
        path: '^(src|packages|adapter-tools|ops|sandbox)/',
        pathNot: [spec, '^src/(core-banking|customer-authentication)/adapters/'],
      },
      to: { path: adapters },
    },
    {
      name: 'kit-knows-the-port-only',
      comment:
        'The kit is run in the repositories of banks: except for the port it needs only Node and its generator of cases, ' +
        'and it tests an adapter through the port alone.',
      severity: 'error',
      from: { path: '^packages/adapter-kit/' },
      to: {
        path: [ours, '^node_modules/'],
        pathNot: [corePort, signOnPort, '^packages/adapter-kit/', '^node_modules/fast-check/'],
      },
    },
    {
      name: 'kit-is-no-part-of-the-gateway',
      comment: 'The kit breaks connections and spoils answers: a running gateway does not need it.',
      severity: 'error',
      from: product('^(src|sandbox)/'),
      to: { path: '^packages/adapter-kit/' },
    },
    {
      name: 'tools-stand-above-all',
      comment:
        'The tools show the results of the kit and the gateway for an adapter, and import both: an import of a tool would be an import of both.',
      severity: 'error',
      from: { path: ours, pathNot: '^(test/)?adapter-tools/' },
      to: { path: '^adapter-tools/' },
    },
    {
      name: 'ops-stands-above-all',
      comment:
        'The operators’ commands are a separate program, in an image apart from the gateway’s: the gateway must not load them, ' +
        'nor the engine by which they search.',
      severity: 'error',
      from: { path: ours, pathNot: ['^ops/', '^test/'] },
      to: { path: '^ops/' },
    },
    {
      name: 'ops-works-without-the-wiring',
      comment: 'A command uses the rooms that it needs: it starts no gateway.',
      severity: 'error',
      from: product('^ops/'),
      to: { path: '^src/(boot/|[^/]+$)' },
    },
    {
      name: 'questions-know-the-trail',
      comment:
        'A question reads files, rows and the bank’s port, as they are published. It works on every gateway that has the same ' +
        'trail, so it shares the formats, the settings and the way to the database, and no other part of the gateway.',
      severity: 'error',
      from: product('^ops/(cases|report|status|trail)/'),
      to: {
        path: ours,
        pathNot: [
          '^ops/',
          '^src/(trail|open-banking|config|clock|command-line)/',
          '^src/persistence/(package-root|postgres-|primary-connections)',
          '^src/bank-facing/.*[.]schema[.]ts$',
        ],
      },
    },
    {
      name: 'resource-stands-alone',
      comment:
        'A resource is the contract, the port and its endpoint declaration. Code that two resources need belongs below the resources.',
      severity: 'error',
      from: { path: '^src/resources/([^/]+)/', pathNot: spec },
      to: {
        path: ours,
        pathNot: ['^src/(open-banking|endpoint|request)/', corePort, '^src/resources/$1/', '^src/resources/[^/]+$'],
      },
    },
    {
      name: 'request-knows-no-room-above-it',
      comment:
        'The checks of every room fill the context in, and the code that answers the request reads it: it compiles against ' +
        'none of them. Around the core it knows only the tally of a request’s reads, that a request was abandoned, and that ' +
        'reads are parts of its trace. The facts of the checks have the form that the trail keeps.',
      severity: 'error',
      from: product('^src/request/'),
      to: {
        path: ours,
        pathNot: [
          '^src/(request|open-banking)/',
          corePort,
          '^src/core-banking/(guarded-reads|read-context|core-observer)[.]ts$',
          '^src/trail/(event-members|operator-event|check-facts)[.]ts$',
        ],
      },
    },
    {
      name: 'endpoint-knows-no-endpoint',
      comment:
        'The form of an endpoint is the same for all of them: it is declared below the resources and below all that serves them. ' +
        'Only the Nest module knows where settings and the profile come from.',
      severity: 'error',
      from: { path: '^src/endpoint/', pathNot: [spec, '[.]module[.]ts$'] },
      to: {
        path: ours,
        pathNot: ['^src/(endpoint|request|open-banking|clock)/', corePort, '^src/core-banking/[^/]+$'],
      },
    },
    {
      name: 'version-is-data',
      comment:
        'A version holds the words of the API: the code that serves, documents or tests the API imports it from above.',
      severity: 'error',
      from: product('^src/versions/'),
      to: {
        path: [ours, frameworks, database, httpClients],
        pathNot: ['^src/(versions|endpoint|open-banking)/', '^src/resources/[^/]+/[^/]+[.](endpoint|mapper)[.]ts$'],
      },
    },
    {
      name: 'resource-without-check-or-store',
      comment:
        'The checks of a resource are declared on its handler and enforced before it; a resource does not know how consents are stored.',
      severity: 'error',
      from: product('^src/resources/'),
      to: { path: ['[.](checks?|store)[.]ts$', '^src/(consents|sca|security|persistence)/'] },
    },
    {
      name: 'prisma-stays-in-stores',
      comment:
        'Only persistence/ and *.store.ts use the database, so that every transition of a consent can be found there. ' +
        'A core adapter may use the driver of the core’s own database.',
      severity: 'error',
      from: {
        path: '^(src|packages|adapter-tools|ops|sandbox)/',
        pathNot: [spec, '^src/persistence/', '[.]store[.]ts$', '^src/core-banking/adapters/[^/]+/'],
      },
      to: { path: database },
    },
    {
      name: 'http-libraries-in-one-place',
      comment:
        'One room limits the gateway’s HTTP calls to others, and translates their faults. A core and a sign-on over HTTP have their transports in the ports.',
      severity: 'error',
      from: {
        path: '^(src|packages)/',
        pathNot: [spec, adapters, '^src/outgoing/', `${corePort}http-core[.]client`, `${signOnPort}sign-on-http`],
      },
      to: { path: httpLibraries },
    },
    {
      name: 'http-service-in-clients-and-wiring',
      comment:
        'The gateway asks the bank, token issuers, the directory and TPPs, and no other server: HttpService goes to their clients, through the wiring.',
      severity: 'error',
      from: {
        path: '^(src|packages)/',
        pathNot: [spec, adapters, '^src/(outgoing|security)/', '[.](module|providers)[.]ts$'],
      },
      to: { path: '^node_modules/@nestjs/axios(/|$)' },
    },
    {
      name: 'outgoing-knows-no-other-room',
      comment: 'The gateway calls every other server in the same way.',
      severity: 'error',
      from: product('^src/outgoing/'),
      to: { path: ours, pathNot: '^src/outgoing/' },
    },
    {
      name: 'pages-are-pure',
      comment:
        'A page is a pure function of its content: it can be rendered, read and tested without a server, a store or a customer.',
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
      from: { path: `^src/${room}/`, pathNot: spec },
      to: { path: `^src/(${[...rooms.slice(floor + 1).map(([above]) => `${above}/`), 'boot/', '[^/]+$'].join('|')})` },
    })),
    {
      name: 'build-tools-stand-above-all',
      comment:
        'A build tool starts a whole gateway, or makes a file for it: the product that imported it would ship it.',
      severity: 'error',
      from: { path: ours, pathNot: [spec, '^tools/build/'] },
      to: { path: '^tools/build/' },
    },
    ...authorisationRooms.map((room, floor) => ({
      name: `${room}-knows-no-room-above-it`,
      comment:
        `The rooms of the authorization server are layers: ${authorisationRooms.join(', ')}, and the wiring on ` +
        'top. An upward import would tie all of them into one.',
      severity: 'error',
      from: product(`^src/authorisation-server/${room}/`),
      to: {
        path: `^src/authorisation-server/(${[...authorisationRooms.slice(floor + 1).map((above) => `${above}/`), '[^/]+$'].join('|')})`,
        pathNot: '^src/authorisation-server/seal(ing|ed-state)[.]ts$',
      },
    })),
    {
      name: 'authorisation-server-is-loaded-when-it-is-switched-on',
      comment:
        'The library and the pages cost memory and time: a gateway without them loads none of it but the module that loads ' +
        'the rest. The bank’s data about a TPP is checked at the bank-facing port.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, `^src/authorisation-server/(?!${authorisationLoader})`] },
      to: {
        path: '^src/authorisation-server/',
        pathNot: `^src/authorisation-server/(tpps/tpp-entry[.]ts$|${authorisationLoader})`,
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'tracing-is-loaded-when-it-is-switched-on',
      comment: 'The library costs memory and time: a gateway that takes no traces loads none of it.',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: [spec, '^src/observability/otel-tracing[.]ts$'] },
      to: {
        path: '^node_modules/@opentelemetry/|^src/observability/otel-tracing[.]ts$',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'product-without-sandbox-or-test',
      comment: 'The product is built and shipped without the sandbox and without the tests.',
      severity: 'error',
      from: product('^(src|packages|adapter-tools|ops)/'),
      to: { path: '^(sandbox|test)/' },
    },
    {
      name: 'sandbox-from-outside',
      comment:
        'The sandbox speaks to a running stack through its ports: it shows the same as a bank and a TPP will see. ' +
        'The accounts of another core, which no port lists, come through the gateway’s adapter of it. ' +
        'The clock, the published contract, its versions, the endpoints, the profiles, and the code for settings and their files, the package’s folder, new folders and command lines are the same for all.',
      severity: 'error',
      // sandbox/gateway/ is the gateway itself, with a bank whose time can be moved on.
      from: {
        ...product('^sandbox/'),
        pathNot: [].concat(product('^sandbox/').pathNot ?? [], '^sandbox/gateway/', '^sandbox/bank/other-core[.]ts$'),
      },
      to: {
        path: '^(src|packages|adapter-tools|test)/',
        pathNot:
          '^src/(clock|open-banking|profiles)/|^src/(resources/endpoints|versions/)|^src/config/(boot-error|load-config|setting)|^src/persistence/(make-folder|package-root)|^src/command-line/',
      },
    },
    {
      name: 'sandbox-front-knows-no-other',
      comment:
        'The command line, the console and the TPP’s page read input, take an action of sandbox/actions/ and show its ' +
        'result. What two of them do is an action.',
      severity: 'error',
      from: { path: '^sandbox/(cli|console|tpp)/' },
      to: { path: '^sandbox/(cli|console|tpp)/', pathNot: '^sandbox/$1/' },
    },
    {
      name: 'sandbox-actions-without-front',
      comment: 'An action returns a typed result, which each front shows in its way.',
      severity: 'error',
      from: { path: '^sandbox/(actions|clients)/' },
      to: { path: '^sandbox/(cli|console|tpp|web)/' },
    },
    {
      name: 'production-dependencies-only',
      comment:
        "The images hold no development dependency. The sandbox's TPP, with its client of the bank, is in neither, nor are the programs of new TPPs, nor the kit, whose package names its dependencies itself.",
      severity: 'error',
      from: {
        path: '^(src|packages|adapter-tools|ops|sandbox)/',
        pathNot: [spec, '^sandbox/(clients|new-tpps/template)/', '^packages/adapter-kit/'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer'] },
    },
    {
      name: 'declared-dependencies-only',
      comment: 'A package that package.json does not name is installed by accident and may disappear.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'No other rule notices an import of a missing file.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other belong into one file, or need a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // The generated client must stay visible as an import of the stores, but the rules do not check its content.
    doNotFollow: { path: ['^node_modules/', '^prisma/client/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
