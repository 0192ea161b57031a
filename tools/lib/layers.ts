/** Imports allowed between the parts of a package. */
export interface Layout {
  /** The folder of its sources. */
  readonly sources: string
  /** Name of the package in messages. */
  readonly name: string
  /** Layers that each layer may import besides itself: a folder of the sources, or one inside another (`relay/terms`). */
  readonly mayImport: { readonly [layer: string]: readonly string[] }
  /** Parts of a layer that each of its parts may import besides itself. */
  readonly mayShare: { readonly [layer: string]: { readonly [part: string]: readonly string[] } }
  /** The packages a layer may import; `name/*` stands for every entry of a package. */
  readonly mayUse: { readonly [layer: string]: readonly string[] }
  /** True if beside the folders there are only entries that the package exports. @default false */
  readonly hasOnlyEntries?: boolean
}

/** Entries that every layer of every package may import. */
export const forAll = '@trunkline/base/*'

const base: Layout = {
  sources: 'packages/base/src/',
  name: 'the base',
  hasOnlyEntries: true,
  mayImport: { entry: [] },
  mayShare: {},
  mayUse: {},
}

const chain = ['wire', 'schema', 'rpc', 'model', 'dialects'] as const
const sides = ['server', 'client', 'transports'] as const
const below = [...chain, 'stores', 'cluster', 'network', 'auth']

const library: Layout = {
  sources: 'packages/mcp/src/',
  name: 'the library',
  mayImport: {
    wire: [],
    schema: chain.slice(0, 1),
    rpc: chain.slice(0, 2),
    model: chain.slice(0, 3),
    dialects: [...chain.slice(0, 4), 'stores'],
    stores: ['wire'],
    cluster: ['wire', 'stores'],
    network: ['wire'],
    auth: ['wire', 'stores', 'rpc', 'network'],
    server: below,
    client: below,
    transports: below,
    testing: [...below, ...sides],
    extensions: [...below, ...sides],
    entry: [...below, ...sides, 'testing', 'extensions'],
  },
  // both sides of authorization stand alone
  mayShare: {
    auth: { shared: [], client: ['shared'], resource: ['shared'], node: ['shared'], 'dev-server': ['shared'] },
  },
  // each is loaded only by programs that use what it is for
  mayUse: {
    auth: ['jose', 'oauth4webapi'],
    transports: ['ws'],
    extensions: ['@opentelemetry/api', 'yaml'],
  },
}

// the host's rooms from the lowest to the highest; one inside another room is a layer of its own
const low = ['act', 'store', 'store/tables', 'text', 'config', 'clients']
const offered = [...low, 'servers', 'servers/programs', 'catalogue']
const judging = [...offered, 'policy', 'inbox', 'ledger', 'model']
const relaying = [...judging, 'relay', 'relay/spills', 'relay/terms']
const serving = [
  ...relaying,
  'acts',
  'pipe',
  'gateway',
  'gateway/bridge',
  'gateway/principals',
  'gateway/processes',
  'gateway/wire',
]
const doors = [
  ...serving,
  'inbox/notify',
  'inbox/proof',
  'servers/sign-in',
  'clients/import',
  'clients/install',
  'chat',
]
const rooms = [...doors, 'projects', 'trust', 'trust/lockfile', 'assembly', 'api', 'running']

const host: Layout = {
  sources: 'packages/host/src/',
  name: 'the host',
  hasOnlyEntries: true,
  mayImport: {
    act: [],
    store: [],
    'store/tables': ['act', 'store', 'text'],
    text: [],
    config: ['act', 'store', 'store/tables', 'text'],
    clients: ['act', 'store', 'text', 'config'],
    'clients/import': low,
    'clients/install': [...low, 'clients/import'],
    servers: low,
    'servers/programs': ['act', 'store', 'store/tables', 'servers'],
    catalogue: [...low, 'servers'],
    policy: [...low, 'servers', 'catalogue'],
    inbox: ['act', 'store', 'store/tables'],
    'inbox/notify': ['text', 'config', 'inbox'],
    'inbox/proof': ['store', 'store/tables', 'inbox'],
    ledger: ['act', 'store', 'store/tables', 'text'],
    model: low,
    chat: ['store', 'store/tables', 'config', 'model'],
    pipe: ['store', 'store/tables'],
    'relay/spills': ['act', 'store', 'store/tables'],
    'relay/terms': ['act', 'store', 'store/tables', 'text', 'servers'],
    relay: [...low, 'servers', 'catalogue', 'relay/terms'],
    'servers/sign-in': [...low, 'servers', 'inbox', 'relay'],
    acts: relaying,
    'gateway/bridge': ['text'],
    'gateway/principals': ['act', 'store', 'store/tables'],
    'gateway/processes': ['store', 'store/tables'],
    'gateway/wire': ['act', 'text', 'servers', 'ledger'],
    gateway: serving,
    projects: [...serving, 'clients/import'],
    'trust/lockfile': [...low, 'catalogue'],
    trust: [...judging, 'gateway/principals', 'gateway/processes', 'projects', 'trust/lockfile'],
    assembly: [...doors, 'projects', 'trust'],
    api: [...doors, 'projects', 'trust', 'trust/lockfile', 'assembly'],
    running: rooms,
    entry: rooms,
  },
  mayShare: {},
  mayUse: {
    ...Object.fromEntries([...rooms, 'entry'].map((room) => [room, ['@trunkline/mcp', '@trunkline/mcp/*']])),
    config: ['@trunkline/mcp', '@trunkline/mcp/*', 'jsonc-parser', 'toml-eslint-parser'],
    api: ['@trunkline/mcp', '@trunkline/mcp/*', 'zod'],
    model: ['@trunkline/mcp', '@trunkline/mcp/*', 'ai', '@ai-sdk/*'],
    chat: ['@trunkline/mcp', '@trunkline/mcp/*', 'ai'],
  },
}

const crafts = ['wrap', 'openapi', 'scaffold', 'development', 'checking', 'plan']

const authoring: Layout = {
  sources: 'packages/authoring/src/',
  name: 'authoring',
  hasOnlyEntries: true,
  mayImport: {
    failure: [],
    // each craft stands alone
    ...Object.fromEntries(crafts.map((craft) => [craft, ['failure']])),
    entry: ['failure', ...crafts],
  },
  mayShare: {},
  mayUse: Object.fromEntries(
    crafts.map((craft) => [craft, ['@trunkline/mcp', '@trunkline/mcp/*', '@trunkline/host/config', 'yaml']]),
  ),
}

const aids = [
  'failure',
  'output',
  'terminal',
  'arguments',
  'session',
  'asking',
  'command',
  'recording',
  'expectations',
  'types',
  'manual',
  'diagnosis',
  'service',
  'host',
  'chatting',
]
const ourEntries = [
  '@trunkline/authoring/*',
  '@trunkline/console',
  '@trunkline/mcp',
  '@trunkline/mcp/*',
  '@trunkline/host',
  '@trunkline/host/*',
]

const command: Layout = {
  sources: 'packages/cli/src/',
  name: 'the command',
  mayImport: {
    ...Object.fromEntries(aids.map((aid, at) => [aid, aids.slice(0, at)])),
    commands: aids,
    entry: [...aids, 'commands'],
  },
  mayShare: {},
  mayUse: Object.fromEntries([...aids, 'commands', 'entry'].map((part) => [part, ourEntries])),
}

const parts = ['text', 'host', 'parts', 'form', 'result', 'accept', 'questions', 'shell', 'apps', 'offers']
const looks = ['react', '@tanstack/*', '@base-ui/*', '@codemirror/*', '@lezer/*', 'uplot', 'uplot/*']

const page: Layout = {
  sources: 'packages/console/src/',
  name: 'the console',
  mayImport: {
    ...Object.fromEntries(parts.map((part, at) => [part, [...parts.slice(0, at), 'styles']])),
    screens: [...parts, 'styles'],
    entry: [...parts, 'screens', 'styles'],
  },
  // a screen stands alone, so that it can be loaded alone
  mayShare: {},
  mayUse: {
    ...Object.fromEntries(
      [...parts, 'screens', 'entry'].map((part) => [part, [...looks, 'react-dom/*', '@trunkline/host/*']]),
    ),
    // the frame that contains an app
    apps: [...looks, '@trunkline/host/*', '@trunkline/mcp/apps'],
  },
}

/** The packages whose insides are checked. */
export const layouts: readonly Layout[] = [base, library, host, authoring, command, page]
