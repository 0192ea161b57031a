/** A host in a folder of its own, in front of real programs, for tests. */

import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { Host } from '../../src/assembly/host.ts'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A server that runs a program of `test/programs`. */
export function programSpec(name: string, program = 'upstream', more: Partial<ServerSpec> = {}): ServerSpec {
  const file = programFile(new URL(`../programs/${program}.ts`, import.meta.url))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  return { name, launch: { kind: 'program', command: process.execPath, args: [file], cwd: '/', env }, ...more }
}

export interface RunningHost extends AsyncDisposable {
  readonly host: Host
  /** Connects as a client of this name. */
  dial(
    path?: string,
    options?: ClientOptions & { readonly name?: string; readonly isApprover?: boolean },
  ): Promise<Client>
}

/** Starts a host whose servers are accepted. */
export async function runningHost(options: Omit<HostOptions, 'folder'>): Promise<RunningHost> {
  const folder = temporaryFolder()
  const host = new Host({ folder: folder.path, ...options })
  await host.start()
  try {
    for (const { name } of options.servers ?? []) await host.accept(name)
  } catch (error) {
    await host.close()
    throw error
  }
  return {
    host,
    async dial(path = '', { name = 'editor', isApprover = false, ...rest } = {}) {
      const { token } = await host.principals.make({ name, isApprover })
      const http = { headers: { authorization: `Bearer ${token}` } }
      return connect(new URL(`${host.url}${path}`), { ...rest, http } as ClientOptions)
    },
    async [Symbol.asyncDispose]() {
      await host.close()
      folder[Symbol.dispose]()
    },
  }
}

/** The text of a result. */
export function textOf({ content }: { readonly content: readonly { readonly type: string }[] }): string {
  return content.map((block) => ('text' in block ? String(block.text) : block.type)).join('\n')
}
