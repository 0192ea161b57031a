/** A host in a process of its own that can be killed at any instant, and the calls that it acknowledged so far. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { bystanderApi } from '../../../cli/test/host/bystander-api.ts'
import { type HostHome, hostHome } from '../../../cli/test/host/host-home.ts'
import type { ApiClient } from '../../src/api-entry.ts'

const program = programFile(new URL('../programs/journal.ts', import.meta.url))

/** A host that runs. */
export interface Killable {
  readonly api: ApiClient
  readonly url: string
  readonly child: ChildProcess
  dial(token: string, options?: ClientOptions): Promise<Client>
  /** Ends it without a word; resolves when it is gone. */
  kill(): Promise<void>
}

export interface KillableHome extends AsyncDisposable {
  readonly at: HostHome
  /** Effects of the server, in order. */
  done(): readonly string[]
  start(): Promise<Killable>
}

/** A home with the server that writes down its calls. */
export function killableHome(): KillableHome {
  const at = hostHome()
  const file = join(at.home, 'journal.txt')
  at.configure({
    mcpServers: { journal: { command: process.execPath, args: [program, file] } },
    policy: { allow: ['journal:write'] },
  })
  return {
    at,
    done() {
      try {
        return readFileSync(file, 'utf8').split('\n').slice(0, -1)
      } catch {
        return []
      }
    },
    async start() {
      const { ready, child } = await at.up()
      const running = JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/running.json'), 'utf8'))
      const url = ready.mcp ?? ''
      // the test calls too, and a caller may not decide
      const api = bystanderApi(running)
      // it answers before it has read the configuration
      await until(async () => (await api.call('servers')).items.length > 0)
      return {
        api,
        url,
        child,
        dial: (token, options) =>
          connect(new URL(url), { ...options, http: { headers: { authorization: `Bearer ${token}` } } }),
        async kill() {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        },
      }
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

/** Accepts the server as a person who saw its command does. */
export async function acceptServer(api: ApiClient, server = 'journal'): Promise<void> {
  const { items } = await api.call('servers')
  const { commandHash = '' } = items.find(({ name }) => name === server) ?? {}
  await api.call('acceptServer', { server, commandHash })
}
