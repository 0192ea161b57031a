/** Imports allowed between the parts of a package. */
export interface Layout {
  /** The folder of its sources. */
  readonly sources: string
  /** Name of the package in messages. */
  readonly name: string
  /** Layers that each layer may import besides itself. */
  readonly mayImport: { readonly [layer: string]: readonly string[] }
  /** Parts of a layer that each of its parts may import besides itself. */
  readonly mayShare: { readonly [layer: string]: { readonly [part: string]: readonly string[] } }
  /** The packages a layer may import; `name/*` stands for every entry of a package. */
  readonly mayUse: { readonly [layer: string]: readonly string[] }
  /** Files that are a layer of their own, by path below the sources; any other file there is an entry. */
  readonly standAlone: { readonly [path: string]: string }
}

const chain = ['wire', 'schema', 'rpc', 'model', 'dialects'] as const
const sides = ['server', 'client', 'transports'] as const
const below = [...chain, 'stores', 'network', 'auth']

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
  standAlone: {},
}

const given = ['text', 'store', 'clients', 'config', 'servers', 'catalogue', 'act']
const judges = ['policy', 'inbox', 'ledger', 'spills', 'model', 'terms']
const rooms = [
  ...given,
  ...judges,
  'lockfile',
  'programs',
  'principals',
  'proof',
  'trust',
  'sign-in',
  'tasks',
  'notify',
  'pipe',
  'relay',
  'acts',
  'wire',
  'gateway',
  'bridge',
  'install',
  'chat',
  'processes',
  'api',
]

const host: Layout = {
  sources: 'packages/host/src/',
  name: 'the host',
  mayImport: {
    text: [],
    store: [],
    clients: ['store'],
    config: ['text', 'store', 'clients'],
    servers: ['text', 'store', 'clients', 'config'],
    catalogue: given.slice(0, 5),
    act: given.slice(0, 6),
    ...Object.fromEntries(judges.map((room) => [room, given])),
    relay: [...given, 'inbox', 'model', 'terms'],
    acts: [...given, ...judges, 'relay'],
    principals: given,
    lockfile: given.slice(0, 6),
    programs: given.slice(0, 5),
    proof: ['store', 'inbox'],
    trust: [...given, 'inbox', 'principals', 'processes'],
    tasks: ['store'],
    notify: ['text', 'clients', 'inbox'],
    pipe: ['store'],
    'sign-in': [...given, 'inbox', 'relay'],
    wire: [...given, 'ledger'],
    processes: ['store'],
    gateway: [...given, ...judges, 'principals', 'processes', 'bridge', 'pipe', 'relay', 'acts', 'wire'],
    api: [
      'install',
      ...given,
      ...judges,
      'lockfile',
      'programs',
      'principals',
      'proof',
      'trust',
      'sign-in',
      'relay',
      'acts',
      'gateway',
      'wire',
      'chat',
      'bridge',
      'processes',
    ],
    chat: ['store', 'config', 'model'],
    bridge: ['text'],
    install: ['text', 'store', 'clients', 'config'],
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
  // the noun that every room above the catalogue speaks of
  standAlone: { 'acts/act.ts': 'act' },
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
/** Parts for authors of servers; each stands alone. */
const makers = ['wrap', 'openapi', 'scaffold', 'development', 'checking', 'plan']
const ourEntries = ['@trunkline/console', '@trunkline/mcp', '@trunkline/mcp/*', '@trunkline/host', '@trunkline/host/*']

const command: Layout = {
  sources: 'packages/cli/src/',
  name: 'the command',
  mayImport: {
    ...Object.fromEntries(aids.map((aid, at) => [aid, aids.slice(0, at)])),
    ...Object.fromEntries(makers.map((maker) => [maker, ['failure']])),
    commands: [...aids, ...makers],
    entry: [...aids, ...makers, 'commands'],
  },
  mayShare: {},
  mayUse: {
    ...Object.fromEntries([...aids, 'commands', 'entry'].map((part) => [part, ourEntries])),
    ...Object.fromEntries(makers.map((maker) => [maker, [...ourEntries, 'yaml']])),
  },
  standAlone: {},
}

const parts = ['host', 'text', 'parts', 'form', 'result', 'accept', 'questions', 'shell', 'apps', 'offers']
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
  standAlone: {},
}

/** The packages whose insides are checked. */
export const layouts: readonly Layout[] = [library, host, command, page]
