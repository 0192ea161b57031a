/** Rows about servers: how they are started, treated and shown. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from '../../../../tools/lib/program-file.ts'
import type { ServerEntry } from '../../src/config/schema/server-entry.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programEntry } from '../run/person.ts'
import { called, type Group, listed, type Place, type Row, specAt } from './setting-rows.ts'

const program = programFile(new URL('../programs/probe.ts', import.meta.url))

/** The person's settings that most groups start from. */
export const probe = { mcpServers: { probe: programEntry('probe') } }

interface Self {
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd: string
}

const self = async (at: Place): Promise<Self> => JSON.parse(await called(at, 'probe__read_self')) as Self
const mcp = (key: string) => `mcpServers.probe.${key}`

/** Settings of the start of a program. */
function started(folder: string): Group {
  const envFile = join(folder, 'variables')
  writeFileSync(envFile, 'FROM_FILE=yes\n')
  const variable = (name: string) => async (at: Place) => (await self(at)).env[name]
  return {
    name: 'the start of a program',
    base: { ...probe, network: { proxy: 'http://127.0.0.1:9' } },
    rows: [
      {
        ...{ path: mcp('args'), value: [program, 'more'], without: [], with: ['more'] },
        observe: async (at) => (await self(at)).args,
      },
      { path: mcp('env.MARK'), value: 'set', observe: variable('MARK'), without: undefined, with: 'set' },
      { path: mcp('envFile'), value: envFile, observe: variable('FROM_FILE'), without: undefined, with: 'yes' },
      {
        ...{ path: mcp('cwd'), value: folder, without: false, with: true },
        observe: async (at) => (await self(at)).cwd === folder,
      },
      {
        ...{ path: mcp('passNetwork'), value: true, observe: variable('HTTPS_PROXY') },
        ...{ without: undefined, with: 'http://127.0.0.1:9' },
      },
    ],
  }
}

function defined(folder: string): Group {
  const command = join(folder, 'wrapped')
  writeFileSync(command, `#!/bin/sh\nWRAPPED=yes exec '${process.execPath}' '${program}'\n`, { mode: 0o755 })
  return {
    name: 'the program',
    base: probe,
    rows: [
      {
        ...{ path: mcp('command'), value: command, without: undefined, with: 'yes' },
        observe: async (at) => (await self(at)).env.WRAPPED,
      },
    ],
  }
}

/** Rows that show a member of the live server's specification, which is all that its supervisor acts by. */
function specRows(
  entries: { readonly [Key in keyof ServerEntry]?: readonly [value: ServerEntry[Key], seen: keyof ServerSpec] },
  scale: { readonly [key: string]: number } = {},
): readonly Row[] {
  return Object.entries(entries).map(([key, [value, seen]]) => ({
    path: mcp(key),
    value: value as Row['value'],
    observe: (at: Place) => liveSpec(at)?.[seen],
    without: undefined,
    with: typeof value === 'number' ? value * (scale[key] ?? 1) : value,
  }))
}

/** The specification that the running server of a place has now. */
function liveSpec(at: Place, name = 'probe'): ServerSpec | undefined {
  const key = specAt(at, name)?.name
  return key === undefined ? undefined : at.running.host.servers.get(key)?.spec
}

const treated: Group = {
  name: 'the treatment of a server',
  base: probe,
  rows: [
    ...specRows(
      {
        startTimeoutMs: [9_000, 'startMs'],
        callTimeoutMs: [50_000, 'callMs'],
        idleMs: [0, 'idleMs'],
        maxCalls: [3, 'maxCalls'],
        maxMemoryMb: [999, 'maxMemoryBytes'],
        repeatable: [['write_*'], 'repeatable'],
        maxRepeatsPerMinute: [2, 'maxRepeatsPerMinute'],
        maxRequestsPerSecond: [3, 'maxRequestsPerSecond'],
        maxNotificationsPerSecond: [30, 'maxNotificationsPerSecond'],
        revision: ['2025-11-25', 'revision'],
      },
      { maxMemoryMb: 1024 ** 2 },
    ),
    {
      ...{ path: mcp('start'), value: 'at once', without: undefined, with: true },
      observe: (at) => liveSpec(at)?.eager,
    },
    {
      ...{ path: mcp('sharing'), value: 'caller', without: undefined, with: true },
      observe: (at) => liveSpec(at)?.perCaller,
    },
    {
      ...{ path: mcp('mine'), value: true, without: undefined, with: true },
      observe: (at) => {
        const launch = liveSpec(at)?.launch
        return launch?.kind === 'program' ? launch.mine : undefined
      },
    },
  ],
}

const sandboxOf = (at: Place) => {
  const launch = specAt(at)?.launch
  return launch?.kind === 'program' ? launch.sandbox : undefined
}

const confined: Group = {
  name: 'the sandbox of a program',
  starts: false,
  base: probe,
  rows: [
    {
      ...{ path: mcp('sandbox.writable'), value: ['/tmp'], without: false, with: true },
      observe: (at) => sandboxOf(at)?.writable?.includes('/tmp') === true,
    },
    {
      ...{ path: mcp('sandbox.network'), value: false, without: undefined, with: false },
      observe: (at) => sandboxOf(at)?.network,
    },
    { path: mcp('sandbox.by'), value: 'node', without: undefined, with: 'node', observe: (at) => sandboxOf(at)?.by },
    {
      ...{ path: mcp('sandbox.required'), value: true, without: undefined, with: true },
      observe: (at) => sandboxOf(at)?.required,
    },
  ],
}

const kind: Group = {
  name: 'the kind of a server',
  starts: false,
  base: probe,
  rows: [
    {
      ...{ path: mcp('type'), value: 'http', without: 'program', with: 'unresolved' },
      observe: (at) => specAt(at)?.launch.kind,
    },
  ],
}

const off: Group = {
  name: 'a server that is turned off',
  base: probe,
  rows: [
    {
      ...{ path: mcp('disabled'), value: true, without: true, with: false },
      observe: async (at) => (await listed(at)).includes('probe__read_self'),
    },
  ],
}

const remoteOf = (at: Place) => {
  const launch = specAt(at, 'far')?.launch
  return launch?.kind === 'remote' ? launch : undefined
}

const oauth = {
  clientId: 'me',
  clientSecret: 'hidden',
  scopes: ['read'],
  resource: 'https://far.test/',
  callbackPort: 7,
}

const elsewhere: Group = {
  name: 'a server elsewhere',
  base: { mcpServers: { far: { url: 'http://127.0.0.1:9/one' } } },
  rows: [
    {
      ...{ path: 'mcpServers.far.url', value: 'http://127.0.0.1:9/two', without: '/one', with: '/two' },
      observe: (at) => new URL(remoteOf(at)?.url ?? '').pathname,
    },
    {
      ...{ path: 'mcpServers.far.headers.x-mark', value: 'set', without: undefined, with: 'set' },
      observe: (at) => remoteOf(at)?.headers['x-mark'],
    },
    ...Object.entries(oauth).map(([key, value]) => ({
      ...{ path: `mcpServers.far.oauth.${key}`, value, without: undefined, with: value },
      observe: (at: Place) => remoteOf(at)?.oauth?.[key as keyof typeof oauth],
    })),
  ],
}

const shown: Group = {
  name: 'the tools of a server',
  base: probe,
  rows: [
    {
      ...{ path: mcp('tools.only'), value: ['read_*', 'write_*'], without: true, with: false },
      observe: async (at) => (await listed(at)).includes('probe__list_notes'),
    },
    {
      ...{ path: mcp('tools.except'), value: ['read_self'], without: true, with: false },
      observe: async (at) => (await listed(at)).includes('probe__read_self'),
    },
    {
      ...{ path: mcp('rename.read_text'), value: 'read_words', without: false, with: true },
      observe: async (at) => (await listed(at)).includes('probe__read_words'),
    },
    {
      ...{ path: mcp('describe.write_page'), value: 'Writes a page', without: undefined, with: 'Writes a page' },
      observe: async (at) => {
        const tools = await (await at.caller()).tools.list().all()
        return tools.find(({ name }) => name === 'probe__write_page')?.description
      },
    },
    {
      ...{ path: mcp('classes.write_note'), value: 'reads', without: true, with: false },
      observe: async (at) => /waits for a person/.test(await called(at, 'probe__write_note', { text: 'x' })),
    },
  ],
}

const results: Group = {
  name: 'the results of a server',
  base: probe,
  rows: [
    {
      ...{ path: mcp('maxResultKb'), value: 1, without: 5_000, with: true },
      observe: async (at) => isKeptAside(await called(at, 'probe__read_text', { bytes: 5_000 })),
    },
    { path: mcp('record'), value: 'off', without: true, with: false, observe: keepsArguments },
    {
      ...{ path: mcp('data'), value: 'untrusted', without: undefined, with: 'probe' },
      observe: async (at) => {
        const { _meta } = await (await at.caller()).tools.call('probe__read_note', { text: 'x' })
        return _meta?.['dev.trunkline/untrusted']
      },
    },
  ],
}

/** True if a result was kept aside; else its length. */
export function isKeptAside(text: string): true | number {
  return /more than the \d+ that are passed on/.test(text) || text.length
}

/** True if the arguments of a call are kept beside the ledger. */
export async function keepsArguments(at: Place): Promise<boolean> {
  const text = `note of ${at.name}`
  await called(at, 'probe__read_note', { text })
  const { store, ledger } = at.running.host
  const [last] = queryLedger(store, { server: 'probe', target: 'read_note', kind: 'ended', most: 1 })
  const { arguments: kept } = ledger.payloads.of(last?.line.act ?? '') as { readonly arguments?: { text: string } }
  return kept?.text === text
}

/** All rows about servers; files that they need are put in a folder. */
export function serverGroups(folder: string): readonly Group[] {
  return [started(folder), defined(folder), treated, confined, kind, off, elsewhere, shown, results]
}
