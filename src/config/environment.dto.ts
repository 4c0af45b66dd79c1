import { AuthorisationEnvironment } from './authorisation-environment.dto.js';
import { core } from './core-environment.dto.js';
import { settingsOf } from './setting.js';
import { file, folder, matching, oneOf, secret, secrets, text, webUrl, integer } from './setting-kinds.js';
import { workersPattern } from './workers.js';

// Every setting of the gateway with its kind, its default and its meaning is declared here or in a class that this one
// extends. `npm run settings` writes docs/operate/settings.md from them.

const data = settingsOf('Database and processes');
const trail = settingsOf('Decision trail, log and traces');
const service = settingsOf('The service');
const command = settingsOf('Settings of the commands alone');

/** The environment variables of the gateway: their text, or the default of the specification. */
export class Environment extends AuthorisationEnvironment {
  @core(
    'The core adapter: `ledger`, `fineract`, `sql`, `feed`, or the absolute path of the module of your own adapter ([walks/http.md](../bank/walks/http.md)).',
    text,
    { decided: true },
  )
  CORE = 'ledger';
  @core(
    'Several cores in place of `CORE`. Each setting of a core then begins with `CORE_<NAME>_`, for example `CORE_CARDS_URL` ([walks/several-cores.md](../bank/walks/several-cores.md)).',
    matching(
      'names of small letters and digits with commas between them',
      /^[a-z][a-z0-9]{0,19}(,[a-z][a-z0-9]{0,19})*$/,
      'must be names of small letters and digits with commas between them, such as ledger,cards',
    ),
  )
  CORES?: string;
  @core('With `CORES`: the core that was the bank’s only one before. Its consents and ids stay. Never change it.', text)
  FIRST_CORE?: string;

  @data(
    'PostgreSQL, `postgresql://user:password@host:5432/database?schema=name`: one address, which leads to the primary. Without it the gateway keeps its data in `DATA_DIR`, for one process.',
    { ...text, type: 'URL', secret: true },
    { decided: true, otherwise: 'embedded database' },
  )
  DATABASE_URL?: string;
  @data(
    'Connections of each process to the database. Each process has one more, for its own checks.',
    integer('number', 1, 1_000),
  )
  DATABASE_POOL_SIZE = 10;
  @data(
    'Whether the gateway migrates the database at its start. With `no`, `npm run ops -- migrate` does it as another role.',
    oneOf(['yes', 'no']),
  )
  MIGRATE = 'yes';
  @data('Folder of the embedded database. No other user may write to it.', folder) DATA_DIR = './data';
  @data(
    'Gateway processes that share the ports, or `auto` for one on each processor. More than one needs `DATABASE_URL`.',
    matching('number, 1 to 99, or `auto`', workersPattern, 'must be a number of processes, 1 to 99, or auto'),
  )
  WORKERS = '1';
  @data('Key from which every public id is derived. Another key changes every id that TPPs hold.', secret, {
    needed: true,
    decided: true,
  })
  ID_KEY!: string;

  @trail(
    'Folder of the decision trail, on another disk than the database and with room for the days that you keep: each withdrawal is written there before it is acknowledged.',
    folder,
    { otherwise: 'trail in DATA_DIR' },
  )
  TRAIL_DIR?: string;
  @trail(
    'While the trail cannot be written: `count` answers requests and counts lost events, `refuse` answers 503.',
    oneOf(['count', 'refuse']),
  )
  TRAIL_FAULT: 'count' | 'refuse' = 'count';
  @trail('Key from which the signature of the trail is derived ([trail.md](trail.md)).', secret, {
    needed: true,
    decided: true,
  })
  TRAIL_KEY!: string;
  @trail(
    'Key of the pseudonyms of customers and accounts in the trail. The first of the list makes new pseudonyms; keep the others for as long as events that used them are kept.',
    secrets,
    { needed: true, decided: true },
  )
  PSEUDONYM_KEY!: string[];
  @trail(
    'The lowest level of records that the log has.',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  )
  LOG_LEVEL = 'info';
  @trail(
    'Collector of traces, by OTLP over HTTP. Without it no traces are taken. The library reads the other `OTEL_` variables of the OpenTelemetry specification, for example headers and sampler.',
    webUrl,
  )
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @service(
    'Product profile: `profile-1`, `profile-2`, `profile-fineract`, or the absolute path of a JSON file ([product-profile.md](../bank/product-profile.md)).',
    text,
    { decided: true },
  )
  PROFILE = 'profile-2';
  @service(
    'Requests that each TPP may send in each process on average, and twice as many at once. `0`: no limit, also none of consents and of requests to the authorization server.',
    integer('requests a second', 0, 1_000_000),
  )
  TPP_REQUESTS_PER_SECOND = 500;
}

/** Settings that only the operators' commands read. */
export class CommandEnvironment {
  @command('Credential of the operator, from `npm run ops -- operators add`.', { ...secret, checks: [] })
  OPERATOR_CREDENTIAL?: string;
  @command('Certificate (PEM) that the commands present to a gateway with `BANK_TLS_CLIENT_CA_FILE`.', file)
  BANK_CLIENT_CERT_FILE?: string;
  @command('Key (PEM) of that certificate.', file) BANK_CLIENT_KEY_FILE?: string;
  @command(
    'For `npm run ops -- retention`: days after the end of a consent at which its customer, accounts and names are erased. Without it nothing is erased.',
    integer('days', 1, 36_500),
  )
  RETENTION_DAYS?: number;
  @command(
    'For `npm run ops -- retention`: days after which a day of the trail is removed. Without it the trail is kept.',
    integer('days', 1, 36_500),
  )
  TRAIL_RETENTION_DAYS?: number;
}
