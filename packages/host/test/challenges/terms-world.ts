/** A host in front of a server that keeps the contract and one that does not, and clients that do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { until } from '../../../../tools/lib/until.ts'
import type { Host } from '../../src/assembly/host.ts'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ProgramLaunch } from '../../src/servers/launch.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

/** Connects a client that keeps the contract. */
export async function keeping(host: Host, { name = 'editor', path = '', headers = {} } = {}) {
  const { token } = await host.principals.make({ name, isApprover: false })
  const http = { headers: { authorization: `Bearer ${token}`, ...headers } }
  return connect(new URL(`${host.url}${path}`), { extensions: [contract()], http })
}

/** Starts a host in front of another one, which it knows as the server `inner`. */
export async function outerHost({ host }: RunningHost, options: Partial<HostOptions> = {}): Promise<RunningHost> {
  const { token } = await host.principals.make({ name: 'outer-host', isApprover: false })
  const headers = { authorization: `Bearer ${token}` }
  const inner: ServerSpec = { name: 'inner', launch: { kind: 'remote', url: host.url, headers } }
  return runningHost({ servers: [inner], rules: [allow], ...options })
}

/** Starts the host; the servers are called `plain` and `kept`. */
export async function termsWorld(options: Partial<HostOptions> = {}, more: Partial<ServerSpec> = {}) {
  const folder = temporaryFolder()
  const journal = join(folder.path, 'journal')
  writeFileSync(journal, '')
  const spec = (name: string, program: string): ServerSpec => {
    const { launch, ...rest } = programSpec(name, program, more)
    const own = launch as ProgramLaunch
    return { ...rest, launch: { ...own, env: { ...own.env, JOURNAL: journal, FOLDER: folder.path } } }
  }
  const servers = [spec('plain', 'without-contract'), spec('kept', 'with-contract')]
  const running = await runningHost({ servers, rules: [allow], ...options })
  return {
    ...running,
    folder: folder.path,
    servers,
    /** Effects of the servers, in order. */
    done: (): readonly string[] => readFileSync(journal, 'utf8').split('\n').slice(0, -1),
    async until(line: string): Promise<void> {
      await until(() => readFileSync(journal, 'utf8').includes(line))
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export type TermsWorld = Awaited<ReturnType<typeof termsWorld>>
